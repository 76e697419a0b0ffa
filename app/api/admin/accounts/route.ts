import { findAccounts } from '#lib/accounts/find-accounts';
import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.findAccounts, async ({ query }) => {
    const { data, nextCursor } = await findAccounts(query);
    return { body: { data, next_cursor: nextCursor } };
  }),
});
