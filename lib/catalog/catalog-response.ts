import { hash } from 'node:crypto';
import { byRevision } from '#lib/catalog/by-revision';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { env } from '#lib/env';

/** Body of `GET /v1/architectures`, with its ETag. */
export const catalogResponse = byRevision('catalog-response', ({ revision, list }) => {
  const body = { architectures: list().map(architecture => toCatalogEntry(architecture, env().BASE_URL)) };
  // hashes the body, not the revision: the body contains the origin and differs between versions of Pomona
  return { revision, body, etag: `"${hash('sha256', JSON.stringify(body), 'base64url').slice(0, 16)}"` };
});
