import { catalogResponse } from '#lib/catalog/catalog-response';
import { operations } from '#lib/contract/operations';
import { methods } from '#lib/http/methods';
import { route } from '#lib/http/route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route(operations.listArchitectures, async () => {
    const { body, etag } = catalogResponse();
    return { body, headers: { etag } };
  }),
});
