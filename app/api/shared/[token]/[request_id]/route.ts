import { answer } from '#lib/http/answer';
import { methods } from '#lib/http/methods';
import { serveBare } from '#lib/http/serve-media';
import { getSharedKey } from '#lib/library/shares';

/** File of a result that is shared without its settings. A plain link, for pages and players. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async (request, { params }) => {
    const { token, request_id } = (await params) ?? {};
    return serveBare(request, await getSharedKey(String(token), String(request_id)));
  }),
});
