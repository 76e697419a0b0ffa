import { getReadable } from '#lib/generations/read';
import { removeGeneration } from '#lib/generations/remove';
import { methods } from '#lib/http/methods';
import { openaiRoute } from '#lib/openai-api/openai-route';
import { toVideo } from '#lib/openai-api/to-video';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: openaiRoute('read', async ({ caller, params }) =>
    Response.json(toVideo(await getReadable(caller.accountId, params.video_id!))),
  ),
  DELETE: openaiRoute('generate', async ({ caller, params: { video_id: id } }) => {
    await removeGeneration(caller.accountId, id!);
    return Response.json({ id, object: 'video.deleted', deleted: true });
  }),
});
