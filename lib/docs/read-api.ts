import { byRevision } from '#lib/catalog/by-revision';
import { readOpenapi } from '#lib/docs/read-openapi';
import { openapiDocument } from '#lib/openapi';

/** The API of this deployment, as its pages tell it. */
export const readApi = byRevision('read-api', () => readOpenapi(openapiDocument()));
