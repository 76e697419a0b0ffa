import { operations } from '#lib/contract/operations';
import { listRuns } from '#lib/recipes/runs';
import { toWires } from '#lib/recipes/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listRuns, async ({ caller, query }) => {
    const { data, nextCursor } = await listRuns(caller.accountId, query);
    return { body: { data: await toWires(data), next_cursor: nextCursor } };
  }),
});
