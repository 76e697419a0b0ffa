import { newEdit, readBody } from '#lib/openai-api/bodies';
import { imagesAnswer } from '#lib/openai-api/images-answer';
import { chooseModel, withPictures } from '#lib/openai-api/models';
import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';
import { submitAll } from '#lib/openai-api/submit-all';
import { ownFields, toConfig } from '#lib/openai-api/to-config';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  POST: openaiRoute('generate', async ({ request, caller }) => {
    const body = await readBody(request, newEdit);
    const sent = body.images ? 'images' : 'image';
    const pictures = [body[sent] ?? []].flat();
    const architecture = chooseModel(body.model, 'image', pictures.length);
    const placed = withPictures(architecture, pictures, sent);
    const config = toConfig(architecture, { ...body, own: { ...ownFields(architecture, body), ...placed } });
    const sentAs = { [sent]: Object.keys(placed) };
    const made = await submitAll({ caller, architecture, config, n: body.n, sentAs, request });
    return imagesAnswer(made, body.response_format, request);
  }),
});
