import { AVMEDIA_TYPE_AUDIO, AV_CHANNEL_LAYOUT_STEREO, AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { FFmpegError, SoftwareResampleContext } from 'node-av/lib';
import { AvInput } from '#lib/media/av-input';
import type { AVSampleFormat } from 'node-av/constants';
import type { StereoSound } from '#lib/media/encode-audio';

/**
 * Decodes at most `maxSeconds` of an audio file to stereo at `sampleRate` hertz, on the calling thread. Throws when the
 * file has no audio that can be decoded.
 */
export async function decodeAudio(path: string, sampleRate: number, maxSeconds: number): Promise<StereoSound> {
  using input = new AvInput(path, AVMEDIA_TYPE_AUDIO);
  const most = Math.round(maxSeconds * sampleRate);
  const left = new Float32Array(most);
  const right = new Float32Array(most);
  let filled = 0;
  let resampler: SoftwareResampleContext | undefined;
  const pull = (planes: Buffer[] | null, count: number) => {
    const room = resampler!.getOutSamples(count);
    const outLeft = new Float32Array(room);
    const outRight = new Float32Array(room);
    const made = resampler!.convertSync(
      [Buffer.from(outLeft.buffer), Buffer.from(outRight.buffer)],
      room,
      planes,
      count,
    );
    FFmpegError.throwIfError(made, 'resample');
    const kept = Math.min(made, most - filled);
    left.set(outLeft.subarray(0, kept), filled);
    right.set(outRight.subarray(0, kept), filled);
    filled += kept;
  };
  try {
    for (const frame of input.frames()) {
      using owned = frame;
      if (!resampler) {
        resampler = new SoftwareResampleContext();
        const from = owned.channelLayout;
        FFmpegError.throwIfError(
          resampler.allocSetOpts2(
            AV_CHANNEL_LAYOUT_STEREO,
            AV_SAMPLE_FMT_FLTP,
            sampleRate,
            from,
            owned.format as AVSampleFormat,
            owned.sampleRate,
          ),
          'resampler',
        );
        FFmpegError.throwIfError(resampler.init(), 'resampler');
      }
      pull(owned.data, owned.nbSamples);
      if (filled === most) break;
    }
    if (resampler && filled < most) pull(null, 0);
  } finally {
    resampler?.free();
  }
  if (filled === 0) throw new Error('The media file cannot be read: no audio in it');
  return { left: left.subarray(0, filled), right: right.subarray(0, filled), sampleRate };
}
