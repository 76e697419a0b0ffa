import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { findPrompts } from '#lib/library/prompts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.findPrompts, async ({ caller, query }) => ({
    body: { data: await findPrompts(caller.accountId, query.q) },
  })),
});
