import { listModels, toModel } from '#lib/openai-api/models';
import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  GET: openaiRoute('read', async () => Response.json({ object: 'list', data: listModels().map(toModel) })),
});
