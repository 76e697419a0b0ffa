import type { Shown } from '#lib/generations/read';

const seconds = (moment: Date | string | null | undefined): number | null =>
  moment ? Math.floor(new Date(moment).getTime() / 1000) : null;

/** Returns a request as a video object of the OpenAI API, which shows a cancelled request as failed. */
export function toVideo({ id, status, architecture, prompt, output, progress, result, ...rest }: Shown) {
  const { createdAt, finishedAt, errorMessage, refused } = rest;
  const isOver = status === 'failed' || status === 'cancelled';
  return {
    id,
    object: 'video',
    model: architecture,
    status: isOver ? 'failed' : status,
    progress: status === 'completed' ? 100 : Math.floor((progress ?? 0) * 100),
    created_at: seconds(createdAt),
    completed_at: status === 'completed' ? seconds(finishedAt) : null,
    expires_at: seconds(result?.expiresAt),
    prompt,
    seconds: String(Number(output.duration.toFixed(2))),
    size: `${output.width}x${output.height}`,
    remixed_from_video_id: null,
    error: isOver
      ? {
          code: refused?.code ?? `generation_${status}`,
          message: refused?.message ?? errorMessage ?? 'The video was cancelled.',
        }
      : null,
  };
}
