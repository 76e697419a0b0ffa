import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { openapiDocument } from '#lib/openapi';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async () => Response.json(openapiDocument())),
});
