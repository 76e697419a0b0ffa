import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { findRequests } from '#lib/generations/oversee';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.findRequests, async ({ query: { account_id: accountId, ...query } }) => {
    const { data, nextCursor } = await findRequests({ ...query, accountId });
    return { body: { data, next_cursor: nextCursor } };
  }),
});
