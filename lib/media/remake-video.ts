import { encodeVideo } from '#lib/media/encode-video';
import { openSourceVideo } from '#lib/media/open-source-video';
import { UnusableMedia } from '#lib/media/unusable-media';

/** The wanted part and form of a video: its first `seconds`, `fps` frames per second, no side longer than `maxSide`. */
export interface VideoWish {
  seconds: number;
  fps: number;
  maxSide: number;
}

const NO_TAGS = { architecture: '', modelId: '', prompt: '', seed: 0, settings: {} };

/** Writes the frames of a video as a new MP4, upright and at a constant frame rate. Called in a decoder process. */
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
