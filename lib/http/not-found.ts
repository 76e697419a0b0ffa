import { AppError } from '#lib/errors';
import { answer } from '#lib/http/answer';

/** Answers paths without a route file: 404 in the envelope. */
export const notFound = answer(async request => {
  const { pathname } = new URL(request.url);
  throw new AppError('not_found', `There is nothing at ${pathname}. GET /v1/openapi.json lists every path of the API.`);
});
