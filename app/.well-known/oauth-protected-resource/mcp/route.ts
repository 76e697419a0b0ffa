import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { resourceMetadata } from '#lib/oauth/resource';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async () => Response.json(resourceMetadata())),
});
