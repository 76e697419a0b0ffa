import { removeGeneration } from '#lib/generations/remove';
import { getVideo } from '#lib/openai-api/get-video';
import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';
import { toVideo } from '#lib/openai-api/to-video';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  GET: openaiRoute('read', async ({ caller, params }) =>
    Response.json(toVideo(await getVideo(caller.accountId, params.video_id!))),
  ),
  DELETE: openaiRoute('generate', async ({ caller, params: { video_id: id } }) => {
    await getVideo(caller.accountId, id!);
    await removeGeneration(caller.accountId, id!);
    return Response.json({ id, object: 'video.deleted', deleted: true });
  }),
});
