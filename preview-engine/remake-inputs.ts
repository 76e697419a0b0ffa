import { join } from 'node:path';
import type { EngineJob, JobInput } from '#lib/engines/engine';
import { normalizeVideo, normalizeImage } from '#lib/media/inspect-media';

/** Enough for a picture that is cut to the output's shape. */
const SIDES = 2;

/**
 * The given pictures and films as files of our own, no larger than the output needs, made by processes that may fail: the threads
 * that render decode nothing that came from outside. Sounds were remade when their owner saved them. Throws `UnusableMedia`.
 */
export async function remakeInputs(
  { inputs, output }: EngineJob,
  folder: string,
  signal: AbortSignal,
): Promise<JobInput[]> {
  const side = Math.max(output.width, output.height, 1024);
  const remade: JobInput[] = [];
  for (const [index, input] of inputs.entries()) {
    const path = join(folder, String(index));
    if (input.contentType.startsWith('image/')) {
      const { contentType } = await normalizeImage(input.path, path, { signal }, side * SIDES);
      remade.push({ ...input, path, contentType });
    } else if (input.contentType.startsWith('video/')) {
      const wish = { seconds: output.duration, fps: output.fps, maxSide: side };
      await normalizeVideo(input.path, path, wish, { signal });
      remade.push({ ...input, path, contentType: 'video/mp4' });
    } else remade.push(input);
  }
  return remade;
}
