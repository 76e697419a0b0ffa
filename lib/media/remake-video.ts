import { encodeVideo } from '#lib/media/encode-video';
import { openSourceVideo } from '#lib/media/open-source-video';
import { UnusableMedia } from '#lib/media/unusable-media';

/** What of a video is wanted: its first `seconds`, so many frames a second, none with a longer side. */
export interface VideoWish {
  seconds: number;
  fps: number;
  maxSide: number;
}

const NO_TAGS = { architecture: '', modelId: '', prompt: '', seed: 0, settings: {} };

/** Writes the frames of a video as an MP4 of our own, upright and at an even rate. Called in the process for hostile files. */
export async function remakeVideo(
  path: string,
  to: string,
  { seconds, fps, maxSide }: VideoWish,
): Promise<{ width: number; height: number }> {
  try {
    using video = openSourceVideo(path, maxSide, fps);
    const { width, height } = video.frameAt(0);
    const count = Math.max(1, Math.ceil(Math.min(seconds, video.duration || seconds) * fps));
    const draw = (index: number, into: Uint8Array) => into.set(video.frameAt(index / fps).data);
    await encodeVideo(to, { width, height, fps, count, draw }, null, NO_TAGS, { preset: 'ultrafast', crf: 12 });
    return { width, height };
  } catch (cause) {
    throw new UnusableMedia('The video cannot be decoded to its end; it is damaged or not what its header says.', {
      cause,
    });
  }
}
