import { methods } from '#lib/http/methods';
import { listModels, toModel } from '#lib/openai-api/models';
import { openaiRoute } from '#lib/openai-api/openai-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: openaiRoute('read', async () => Response.json({ object: 'list', data: listModels().map(toModel) })),
});
