import { byRevision } from '#lib/catalog/by-revision';
import { readOpenapi } from '#lib/docs/read-openapi';
import { openapiDocument } from '#lib/openapi';

/** The API of this deployment, in the form that documentation pages use. */
export const readApi = byRevision('read-api', () => readOpenapi(openapiDocument()));
