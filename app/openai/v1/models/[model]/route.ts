import { methods } from '#lib/http/methods';
import { getModel, toModel } from '#lib/openai-api/models';
import { openaiRoute } from '#lib/openai-api/openai-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: openaiRoute('read', async ({ params }) => Response.json(toModel(getModel(params.model!)))),
});
