import { registerMediabunnyServer } from '@mediabunny/server';
import { ALL_FORMATS, AudioSampleSink, FilePathSource, Input } from 'mediabunny';
import { AV_LOG_ERROR } from 'node-av/constants';
import { Log } from 'node-av/lib';
import type { StereoSound } from '#lib/media/encode-audio';

/** Decodes at most `maxSeconds` of a sound file to stereo at `sampleRate`. Throws when it holds no sound that can be decoded. */
export async function decodeAudio(path: string, sampleRate: number, maxSeconds: number): Promise<StereoSound> {
  Log.setLevel(AV_LOG_ERROR);
  registerMediabunnyServer();
  using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  if (!track || !(await track.canDecode())) throw new Error('The sound file holds nothing that can be decoded');
  const blocks: Float32Array[][] = [];
  let rate = 0;
  for await (const sample of new AudioSampleSink(track).samples(0, maxSeconds)) {
    rate = sample.sampleRate;
    blocks.push(
      [0, Math.min(1, sample.numberOfChannels - 1)].map(planeIndex => {
        const plane = new Float32Array(sample.numberOfFrames);
        sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
        return plane;
      }),
    );
    sample.close();
  }
  if (!rate) throw new Error('The sound file is empty');
  const [left, right] = [0, 1].map(side => resample(join(blocks.map(block => block[side]!)), rate, sampleRate));
  return { left: left!, right: right!, sampleRate };
}

function join(parts: Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Linear interpolation; going down, neighbours are averaged first so that nothing folds back loudly. */
function resample(sound: Float32Array, from: number, to: number): Float32Array {
  if (from === to) return sound;
  const ratio = from / to;
  const out = new Float32Array(Math.floor(sound.length / ratio));
  const reach = Math.max(1, Math.round(ratio));
  for (let i = 0; i < out.length; i++) {
    const at = i * ratio;
    const index = Math.floor(at);
    let sum = 0;
    for (let k = 0; k < reach; k++) {
      const low = sound[index + k] ?? 0;
      sum += low + ((sound[index + k + 1] ?? low) - low) * (at - index);
    }
    out[i] = sum / reach;
  }
  return out;
}
