import { AppError } from '#lib/errors';
import { answer } from '#lib/http/answer';

const SLASH = 'The address of what is deleted must not end in a slash: a name may be missing there.';

/** Refuses a DELETE whose path ends in a slash: its last name may be lost, as with a tag called `..`. */
export function requireWhole({ method, url }: Request): void {
  if (method === 'DELETE' && new URL(url).pathname.endsWith('/')) throw new AppError('invalid_request', SLASH);
}

/** Answers paths without a route file: 404 in the envelope. */
export const notFound = answer(async request => {
  requireWhole(request);
  const { pathname } = new URL(request.url);
  const elsewhere = 'GET /v1/openapi.json lists every path of the API; OpenAI clients call /openai/v1';
  throw new AppError('not_found', `There is nothing at ${pathname}. ${elsewhere}.`);
});
