import { join } from 'node:path';
import type { EngineJob, JobInput } from '#lib/engines/engine';
import { normalizeVideo, normalizeImage } from '#lib/media/inspect-media';

/** Factor on the longer side of the output: large enough for an image that is cropped to the output's aspect ratio. */
const SIDES = 2;

/**
 * Re-encodes the given images and videos, no larger than the output needs, in decoder processes, so that the render
 * threads do not decode untrusted files. Audio was already re-encoded when its owner saved it. Throws `UnusableMedia`.
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
