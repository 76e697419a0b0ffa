import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { changeNoticeSettings } from '#lib/notices/notices';
import { noticesToWire } from '#lib/notices/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.getNotices, async ({ caller }) => ({ body: await noticesToWire(caller.accountId) })),
  PUT: route(studioOperations.setNotices, async ({ caller, body }) => {
    const { low_balance, muted } = await body();
    await changeNoticeSettings(caller.accountId, { lowBalance: low_balance, mutes: muted });
    return { body: await noticesToWire(caller.accountId) };
  }),
});
