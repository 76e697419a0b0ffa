import { operations } from '#lib/contract/operations';
import { toLiveWire } from '#lib/generations/to-wire';
import { waitForShown } from '#lib/generations/wait';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    operations.getRequestStatus,
    async ({ caller, found, params, query, signal }) => {
      const poll = { accountId: caller.accountId, id: params.request_id, seconds: query.wait, clientGone: signal };
      const generation = await waitForShown(found?.shown, poll);
      const live = generation.finishedAt === null;
      return { body: await toLiveWire(generation), ...(live && { headers: { 'retry-after': '1' } }) };
    },
    { reads: 'request' },
  ),
});
