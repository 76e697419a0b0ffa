import { studioOperations } from '#lib/contract/studio-operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';
import { createShare, listShares } from '#lib/library/shares';
import { shareToWire } from '#lib/library/to-wire';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(studioOperations.listShares, async ({ caller }) => ({
    body: { data: (await listShares(caller.accountId)).map(shareToWire) },
  })),
  POST: route(studioOperations.createShare, async ({ caller, body }) => ({
    body: shareToWire(await createShare(caller.accountId, await body())),
  })),
});
