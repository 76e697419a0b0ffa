import { answer } from '#lib/http/answer';
import { checkHealth } from '#lib/http/health';
import { methods } from '#lib/http/methods';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async () => {
    const health = await checkHealth();
    return Response.json(health, { status: health.ok ? 200 : 503 });
  }),
});
