import { operations } from '#lib/contract/operations';
import { cancelRun } from '#lib/recipes/stop-and-retry';
import { toRunWire } from '#lib/recipes/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(operations.cancelRun, async ({ caller, params }) => ({
    body: await toRunWire(await cancelRun(caller.accountId, params.run_id)),
  })),
});
