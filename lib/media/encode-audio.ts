import { AV_CHANNEL_LAYOUT_STEREO, AV_SAMPLE_FMT_FLTP, FF_ENCODER_LIBMP3LAME } from 'node-av/constants';
import { Frame, Rational } from 'node-av/lib';
import { AvOutput } from '#lib/media/av-output';
import { tagsToJson, tagsToTitle } from '#lib/media/media-tags';
import type { FFEncoderCodec } from 'node-av/constants';
import type { OutputTrack } from '#lib/media/av-output';
import type { MediaTags } from '#lib/media/media-tags';

/** Stereo audio in memory, with samples from -1 to 1. */
export interface StereoSound {
  left: Float32Array;
  right: Float32Array;
  sampleRate: number;
}

/** Bit rates of MP3 outputs, in bits per second, by sample rate in hertz. */
export const MP3_BIT_RATES: Readonly<Record<number, number>> = {
  8000: 32_000,
  11025: 40_000,
  12000: 48_000,
  16000: 64_000,
  22050: 96_000,
  24000: 96_000,
  32000: 128_000,
  44100: 160_000,
  48000: 160_000,
};

export function addSoundTrack(
  output: AvOutput,
  encoder: FFEncoderCodec,
  sampleRate: number,
  bitRate: number,
  options: Record<string, string | number> = {},
): OutputTrack {
  return output.addTrack(
    encoder,
    context => {
      context.sampleRate = sampleRate;
      context.channelLayout = AV_CHANNEL_LAYOUT_STEREO;
      context.sampleFormat = AV_SAMPLE_FMT_FLTP;
      context.timeBase = new Rational(1, sampleRate);
      context.bitRate = BigInt(bitRate);
    },
    options,
  );
}

/** Encodes the samples from `from` up to `to`, in frames of the encoder's size; the last frame may be shorter. */
export function sendSound(
  track: OutputTrack,
  { left, right, sampleRate }: StereoSound,
  from: number,
  to: number,
): void {
  const size = track.context.frameSize;
  for (let at = from; at < to; at += size) {
    const length = Math.min(size, to - at);
    const planes = new Float32Array(length * 2);
    planes.set(left.subarray(at, at + length), 0);
    planes.set(right.subarray(at, at + length), length);
    using frame = Frame.fromAudioBuffer(Buffer.from(planes.buffer), {
      nbSamples: length,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate,
      channelLayout: AV_CHANNEL_LAYOUT_STEREO,
      timeBase: { num: 1, den: sampleRate },
      pts: BigInt(at),
    });
    track.send(frame);
  }
}

/**
 * Writes an MP3. Its header frame states the encoder's delay and padding, so that a decoder returns exactly as many
 * samples as were encoded. Runs on the calling thread: call it from a worker thread.
 */
export function encodeAudio(path: string, sound: StereoSound, tags: MediaTags): void {
  const bitRate = MP3_BIT_RATES[sound.sampleRate];
  if (!bitRate) throw new RangeError(`No MP3 at ${sound.sampleRate} Hz; use ${Object.keys(MP3_BIT_RATES).join(', ')}`);
  using output = new AvOutput(path, 'mp3', { title: tagsToTitle(tags), comment: tagsToJson(tags) });
  const track = addSoundTrack(output, FF_ENCODER_LIBMP3LAME, sound.sampleRate, bitRate, { compression_level: 7 });
  output.begin({ id3v2_version: 3 });
  sendSound(track, sound, 0, sound.left.length);
  track.send(null);
  output.finish();
}
