import { getModel, toModel } from '#lib/openai-api/models';
import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  GET: openaiRoute('read', async ({ params }) => Response.json(toModel(getModel(params.model!)))),
});
