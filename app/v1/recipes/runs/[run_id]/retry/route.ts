import { operations } from '#lib/contract/operations';
import { retryRun } from '#lib/recipes/stop-and-retry';
import { toRunWire } from '#lib/recipes/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(operations.retryRun, async ({ caller, params, headers }) => ({
    status: 202,
    body: await toRunWire(await retryRun(caller, params.run_id, headers['max-gems'])),
  })),
});
