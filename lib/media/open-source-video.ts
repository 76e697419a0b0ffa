import { registerMediabunnyServer } from '@mediabunny/server';
import { ALL_FORMATS, FilePathSource, Input, VideoSampleSink } from 'mediabunny';
import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { VideoSample } from 'mediabunny';

export interface SourceFrame {
  width: number;
  height: number;
  /** RGBA. Valid until the next call. */
  data: Uint8Array;
}

export interface SourceVideo extends AsyncDisposable {
  /** Seconds. */
  duration: number;
  /** The picture shown at `seconds`; the last one beyond the end. Times must not go back: decoding is sequential. */
  frameAt(seconds: number): Promise<SourceFrame>;
}

/** Opens a video file for reading in order, on the calling thread. Throws when it has no video that can be decoded. */
export async function openSourceVideo(path: string): Promise<SourceVideo> {
  Log.setLevel(AV_LOG_ERROR);
  registerMediabunnyServer();
  const input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const track = await input.getPrimaryVideoTrack();
  if (!track || !(await track.canDecode())) {
    input.dispose();
    throw new Error('The source video holds no picture that can be decoded');
  }
  const sink = new VideoSampleSink(track, { hardwareAcceleration: 'prefer-software' });
  const samples = sink.samples();
  const start = await track.getFirstTimestamp();
  const duration = (await track.computeDuration()) - start;
  let shown: VideoSample | null = null;
  let next: VideoSample | null = (await samples.next()).value ?? null;
  let frame: SourceFrame | null = null;

  return {
    duration,
    async frameAt(seconds) {
      while (next && (!shown || next.timestamp - start <= seconds + 1e-6)) {
        shown?.close();
        shown = next;
        frame = null;
        next = (await samples.next()).value ?? null;
      }
      if (!shown) throw new Error('The source video has no frames');
      return (frame ??= await toRgba(shown));
    },
    async [Symbol.asyncDispose]() {
      shown?.close();
      next?.close();
      await samples.return();
      input.dispose();
    },
  };
}

async function toRgba(sample: VideoSample): Promise<SourceFrame> {
  // turns what a phone recorded upright, and squares the pixels
  const { displayWidth: width, displayHeight: height } = sample;
  const upright = await sample.transform({ width, height, fit: 'fill' });
  try {
    const data = new Uint8Array(upright.allocationSize({ format: 'RGBA' }));
    await upright.copyTo(data, { format: 'RGBA' });
    return { width, height, data };
  } finally {
    upright.close();
  }
}
