import { newImage, readBody } from '#lib/openai-api/bodies';
import { imagesAnswer } from '#lib/openai-api/images-answer';
import { chooseModel } from '#lib/openai-api/models';
import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';
import { submitAll } from '#lib/openai-api/submit-all';
import { ownFields, toConfig } from '#lib/openai-api/to-config';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  POST: openaiRoute('generate', async ({ request, caller }) => {
    const body = await readBody(request, newImage);
    const architecture = chooseModel(body.model, 'image');
    const config = toConfig(architecture, { ...body, own: ownFields(architecture, body) });
    const made = await submitAll({ caller, architecture, config, n: body.n, request });
    return imagesAnswer(made, body.response_format, request);
  }),
});
