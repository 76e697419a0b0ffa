import { AppError } from '#lib/errors';
import { everyMethod } from '#lib/http/methods';
import { requireWhole } from '#lib/http/not-found';
import { openaiRoute } from '#lib/openai-api/openai-route';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = everyMethod(
  openaiRoute('read', async ({ request }) => {
    requireWhole(request);
    const offered = 'models, images/generations, images/edits, videos and audio/speech';
    throw new AppError('not_found', `${new URL(request.url).pathname} is not offered here. There are ${offered}.`);
  }),
);
