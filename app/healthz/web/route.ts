import { answer } from '#lib/http/answer';
import { checkWeb } from '#lib/http/health';
import { methods } from '#lib/http/methods';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async () => {
    const { ok } = await checkWeb();
    return Response.json({ ok }, { status: ok ? 200 : 503 });
  }),
});
