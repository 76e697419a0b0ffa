import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { seeNotices } from '#lib/notices/notices';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route(studioOperations.seeNotices, async ({ caller, body }) => {
    await seeNotices(caller.accountId, (await body()).newest);
    return {};
  }),
});
