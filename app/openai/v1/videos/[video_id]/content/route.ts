import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';
import { videoAddress } from '#lib/openai-api/video-address';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  GET: openaiRoute('read', async ({ request, caller, params }) => {
    const variant = new URL(request.url).searchParams.get('variant');
    const location = await videoAddress(caller.accountId, params.video_id!, variant);
    return new Response(null, { status: 302, headers: { location } });
  }),
});
