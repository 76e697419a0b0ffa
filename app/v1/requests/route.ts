import { operations } from '#lib/contract/operations';
import { listGenerations } from '#lib/generations/list';
import { toLiveWires } from '#lib/generations/to-wire';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listRequests, async ({ caller, query }) => {
    const { data, nextCursor } = await listGenerations(caller.accountId, query);
    return { body: { data: await toLiveWires(data), next_cursor: nextCursor } };
  }),
});
