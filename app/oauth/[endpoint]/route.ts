import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { serveOauth } from '#lib/oauth/serve-oauth';

const serve = answer(serveOauth);
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: serve, POST: serve });
