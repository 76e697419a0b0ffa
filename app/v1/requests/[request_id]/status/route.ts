import { operations } from '#lib/contract/operations';
import { toLiveWire } from '#lib/generations/to-wire';
import { waitForGeneration } from '#lib/generations/wait';
import { matchesEtag } from '#lib/http/byte-range';
import { etagOf } from '#lib/http/etag';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(
    operations.getRequestStatus,
    async ({ caller, row, params, query, headers, signal }) => {
      const generation = await waitForGeneration(caller.accountId, params.request_id, query.wait, signal, row);
      const body = await toLiveWire(generation);
      const etag = etagOf(body);
      const live = generation.finishedAt === null;
      const answer = { etag, ...(live && { 'retry-after': '1' }) };
      return matchesEtag(headers['if-none-match'] ?? null, etag)
        ? { status: 304, headers: answer }
        : { body, headers: answer };
    },
    { readsRow: true },
  ),
});
