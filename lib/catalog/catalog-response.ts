import { catalog } from '#lib/catalog/catalog';
import { toCatalogEntry } from '#lib/catalog/to-entry';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { env } from '#lib/env';
import { singleton } from '#lib/singleton';

interface CatalogResponse {
  revision: string;
  body: { architectures: CatalogEntry[] };
  etag: string;
}

const last = () => singleton<{ response?: CatalogResponse }>('catalog.response', () => ({}));

/** The body of `GET /v1/architectures`, made once for each revision of the catalog. */
export function catalogResponse(): CatalogResponse {
  const { revision, list } = catalog();
  const known = last().response;
  if (known?.revision === revision) return known;
  const architectures = list().map(architecture => toCatalogEntry(architecture, env().BASE_URL));
  return (last().response = { revision, body: { architectures }, etag: `"${revision}"` });
}
