import { catalogResponse } from '#lib/catalog/catalog-response';
import { operations } from '#lib/contract/operations';
import { matchesEtag } from '#lib/http/byte-range';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listArchitectures, async ({ headers }) => {
    const { body, etag } = catalogResponse();
    const known = matchesEtag(headers['if-none-match'] ?? null, etag);
    return known ? { status: 304, headers: { etag } } : { body, headers: { etag } };
  }),
});
