import { AppError } from '#lib/errors';
import { answer } from '#lib/http/answer';

const notFound = answer(async request => {
  throw new AppError(
    'not_found',
    `Nothing is at ${new URL(request.url).pathname}. GET /v1/openapi.json lists every path.`,
  );
});

export {
  notFound as GET,
  notFound as HEAD,
  notFound as POST,
  notFound as PUT,
  notFound as PATCH,
  notFound as DELETE,
  notFound as OPTIONS,
};
