import { operations } from '#lib/contract/operations';
import { getRun } from '#lib/recipes/runs';
import { toRunWire } from '#lib/recipes/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.getRun, async ({ caller, params }) => ({
    body: await toRunWire(await getRun(caller.accountId, params.run_id)),
  })),
});
