import { AppError } from '#lib/errors';
import { removeGeneration } from '#lib/generations/remove';
import { getVideo } from '#lib/openai-api/get-video';
import { openaiMethods, openaiRoute } from '#lib/openai-api/openai-route';
import { toVideo } from '#lib/openai-api/to-video';
import { isFinal } from '#lib/status';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = openaiMethods({
  GET: openaiRoute('read', async ({ caller, params }) =>
    Response.json(toVideo(await getVideo(caller.accountId, params.video_id!))),
  ),
  DELETE: openaiRoute('generate', async ({ caller, params: { video_id: id } }) => {
    const { status } = await getVideo(caller.accountId, id!);
    // this API has no call to cancel a video
    if (!isFinal(status))
      throw new AppError('request_live', `The video is ${status}. Cancel it first: POST /v1/requests/${id}/cancel.`);
    await removeGeneration(caller.accountId, id!);
    return Response.json({ id, object: 'video.deleted', deleted: true });
  }),
});
