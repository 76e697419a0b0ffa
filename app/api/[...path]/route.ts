import { AppError } from '#lib/errors';
import { answer } from '#lib/http/answer';

const notFound = answer(async () => {
  throw new AppError('not_found', 'There is nothing at this path.');
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
