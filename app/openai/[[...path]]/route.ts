import { AppError } from '#lib/errors';
import { openaiRoute } from '#lib/openai-api/openai-route';

const nothing = openaiRoute('read', async ({ request }) => {
  const offered = 'models, images/generations, images/edits, videos and audio/speech';
  throw new AppError('not_found', `${new URL(request.url).pathname} is not offered here. There are ${offered}.`);
});

export {
  nothing as GET,
  nothing as HEAD,
  nothing as POST,
  nothing as PUT,
  nothing as PATCH,
  nothing as DELETE,
  nothing as OPTIONS,
};
