import { byRevision } from '#lib/catalog/by-revision';
import { answer } from '#lib/http/answer';
import { answerEtagged, etagged } from '#lib/http/etagged';
import { countAnswer } from '#lib/http/limit-pages';
import { methods } from '#lib/http/methods';
import { openapiDocument } from '#lib/openapi';

const document = byRevision('openapi-text', () => etagged(JSON.stringify(openapiDocument())));
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'public, no-cache' };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async request => {
    await countAnswer(request);
    return answerEtagged(request, document(), HEADERS);
  }),
});
