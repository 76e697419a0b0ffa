import { hasResult } from '#lib/generations/has-result';
import { listGenerations } from '#lib/generations/list';
import { parseQuery } from '#lib/http/parse-part';
import { newVideo, readBody, videoPage } from '#lib/openai-api/bodies';
import { chooseModel, withPictures } from '#lib/openai-api/models';
import { notMadeAnswer } from '#lib/openai-api/openai-error';
import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';
import { priceHeaders, submitAll } from '#lib/openai-api/submit-all';
import { ownFields, toConfig } from '#lib/openai-api/to-config';
import { toVideo } from '#lib/openai-api/to-video';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  GET: openaiRoute('read', async ({ request, caller }) => {
    const { limit, after } = parseQuery({ invalid: 'invalid_request', query: videoPage }, request.url);
    const page = await listGenerations(caller.accountId, { limit, cursor: after, type: ['video'], removed: false });
    const data = page.data.map(toVideo);
    const [first_id, last_id] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
    return Response.json({ object: 'list', data, first_id, last_id, has_more: page.nextCursor !== null });
  }),
  POST: openaiRoute('generate', async ({ request, caller }) => {
    const body = await readBody(request, newVideo);
    const pictures = [body.input_reference ?? []].flat();
    const architecture = chooseModel(body.model, 'video', pictures.length);
    const placed = withPictures(architecture, pictures, 'input_reference');
    const config = toConfig(architecture, { ...body, own: { ...ownFields(architecture, body), ...placed } });
    const sentAs = { input_reference: Object.keys(placed) };
    const made = await submitAll({ caller, architecture, config, sentAs, request });
    const { generation } = made[0]!;
    const headers = priceHeaders(made);
    // a repeated request under its idempotency key: the client would wait for a video that no longer exists
    const isGone = generation.status === 'completed' && !hasResult(generation);
    if (isGone) return notMadeAnswer(generation, headers, request);
    return Response.json(toVideo(generation), { headers });
  }),
});
