import { readGenerationFrame } from '#lib/generations/read-frame';
import { answer } from '#lib/http/answer';
import { getCaller, requireScope } from '#lib/http/caller';
import { methods } from '#lib/http/methods';

/** Latest frame of an image in progress; the status of its request has the URL while there is one. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: answer(async (request, context) => {
    const caller = await getCaller(request);
    requireScope(caller, 'read');
    const { contentType, bytes } = await readGenerationFrame(
      caller.accountId,
      String((await context.params)?.request_id),
    );
    return new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType, 'content-security-policy': "default-src 'none'; sandbox" },
    });
  }),
});
