import { byRevision } from '#lib/catalog/by-revision';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import { env } from '#lib/env';

/** The body of `GET /v1/architectures`. */
export const catalogResponse = byRevision('catalog-response', ({ revision, list }) => ({
  revision,
  body: { architectures: list().map(architecture => toCatalogEntry(architecture, env().BASE_URL)) },
}));
