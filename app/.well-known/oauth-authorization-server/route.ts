import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { serveOauth } from '#lib/oauth/serve-oauth';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: answer(serveOauth) });
