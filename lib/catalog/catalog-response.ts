import { hash } from 'node:crypto';
import { byRevision } from '#lib/catalog/by-revision';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { env } from '#lib/env';

/** The body of `GET /v1/architectures`. */
export const catalogResponse = byRevision('catalog-response', ({ revision, list }) => {
  const body = { architectures: list().map(architecture => toCatalogEntry(architecture, env().BASE_URL)) };
  // of the bytes: they have the origin in them, and are others in another version of Pomona
  return { revision, body, etag: `"${hash('sha256', JSON.stringify(body), 'base64url').slice(0, 16)}"` };
});
