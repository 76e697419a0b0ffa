import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLTP, FF_ENCODER_LIBMP3LAME } from 'node-av/constants';
import { Frame, Rational } from 'node-av/lib';
import { AvOutput } from '#lib/media/av-output';
import { decodeAudio } from '#lib/media/decode-audio';
import { measureLoudness } from '#lib/media/loudness';
import { UnusableMedia } from '#lib/media/unusable-media';

export interface ClipFacts {
  contentType: 'audio/mpeg';
  /** Duration in seconds. */
  duration: number;
  /** Loudness before normalisation, in LUFS. */
  loudness: number;
}

const RATE = 44_100;
/** Target of -16 LUFS, raised because the encoder scales samples by 0.95. */
const TARGET_LUFS = -16 - 20 * Math.log10(0.95);
/** Peak limit of -1 dB, as headroom for peaks that encoding adds between samples. */
const PEAK = 10 ** (-1 / 20);
/** Maximum gain of 30 dB: enough for a whisper, too little to raise the noise of an empty room to speech level. */
const MAX_GAIN = 10 ** (30 / 20);

/** Writes the first `maxSeconds` as mono MP3 of normalised loudness. Called in a decoder process. */
export async function reencodeClip(path: string, to: string, maxSeconds: number): Promise<ClipFacts> {
  const { left, right } = await decodeAudio(path, RATE, maxSeconds).catch(cause => {
    throw new UnusableMedia('The audio cannot be decoded; it is damaged or cut off.', { cause });
  });
  const sound = left.subarray(0, Math.round(maxSeconds * RATE)).map((value, i) => (value + right[i]!) * Math.SQRT1_2);
  const loudness = measureLoudness(sound, RATE);
  if (loudness === -Infinity) throw new UnusableMedia('The clip is silent.');
  const peak = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const wanted = Math.min(10 ** ((TARGET_LUFS - loudness) / 20), MAX_GAIN);
  const limit = softLimit(peak * wanted);
  for (let i = 0; i < sound.length; i++) sound[i] = limit(sound[i]! * wanted);
  writeMp3(to, sound);
  return { contentType: 'audio/mpeg', duration: Math.round((sound.length / RATE) * 1000) / 1000, loudness };
}

/** Returns a limiter that keeps quiet samples and bends loud ones below `PEAK`; the identity for a `peak` within it. */
function softLimit(peak: number): (value: number) => number {
  if (peak <= PEAK) return value => value;
  const knee = PEAK / 2;
  return value => {
    const over = Math.abs(value) - knee;
    return over <= 0 ? value : Math.sign(value) * (knee + (PEAK - knee) * Math.tanh(over / (PEAK - knee)));
  };
}

function writeMp3(path: string, sound: Float32Array): void {
  using output = new AvOutput(path, 'mp3', {});
  const track = output.addTrack(FF_ENCODER_LIBMP3LAME, context => {
    context.sampleRate = RATE;
    context.channelLayout = AV_CHANNEL_LAYOUT_MONO;
    context.sampleFormat = AV_SAMPLE_FMT_FLTP;
    context.timeBase = new Rational(1, RATE);
    context.bitRate = 128_000n;
  });
  output.begin();
  const size = track.context.frameSize;
  for (let at = 0; at < sound.length; at += size) {
    const part = Float32Array.from(sound.subarray(at, at + size));
    using frame = Frame.fromAudioBuffer(Buffer.from(part.buffer), {
      nbSamples: part.length,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: RATE,
      channelLayout: AV_CHANNEL_LAYOUT_MONO,
      timeBase: { num: 1, den: RATE },
      pts: BigInt(at),
    });
    track.send(frame);
  }
  track.send(null);
  output.finish();
}
