import { createRandom, hashText } from '#preview-engine/random';
import { addReverb, createMix, finishMix } from '#preview-engine/sound-mix';
import { playMusic } from '#preview-engine/sound-music';
import { playPulse, playTexture } from '#preview-engine/sound-nature';
import { planSound } from '#preview-engine/sound-plan';
import { murmur } from '#preview-engine/sound-speech';
import type { Mix } from '#preview-engine/sound-mix';
import type { EngineJob } from '#lib/engines/engine';
import type { StereoSound } from '#lib/media/encode-audio';

/**
 * Composes the sound of a prompt: any mixture of music, sounds of nature, murmured speech and given clips. The same job
 * always gives the same samples, exactly `round(duration × sampleRate)` of them.
 */
export async function synthesizeSound(job: EngineJob): Promise<StereoSound> {
  const { duration, sampleRate } = job.output;
  const number = (name: string) => (typeof job.config[name] === 'number' ? job.config[name] : 0);
  const speed = 1 + number('speech_rate') / 100;
  const loudness = 1 + number('loudness_rate') / 100;
  const transpose = number('pitch_rate');
  const plan = planSound(job.prompt, job.seed, await brightnessOf(job));
  const seed = job.seed ^ hashText(job.prompt);
  const scene = { gain: plan.speech ? 0.5 : 1, pitch: 2 ** (transpose / 12), speed };

  const mix = createMix(duration, sampleRate);
  if (plan.music > 0) playMusic(mix, { mood: plan.mood, gain: plan.music, speed, transpose }, createRandom(seed));
  for (const name of plan.textures)
    playTexture(mix, name, { ...scene, gain: scene.gain * (plan.music === 1 ? 0.12 : 0.3) }, seed);
  for (const name of plan.pulses)
    playPulse(mix, name, { ...scene, gain: scene.gain * (plan.music === 1 ? 0.35 : 0.6) }, seed);
  if (plan.speech) murmur(mix, plan.speech, plan.speaker, speed, transpose, 1, seed);
  addReverb(mix, 0.5);
  await addGivenClips(mix, job);
  finishMix(mix, loudness, Math.min(0.25, duration * 0.05), Math.min(2.5, duration * 0.12));
  return { left: mix.left, right: mix.right, sampleRate };
}

const GIVEN_RMS = 0.14;
const DUCK = 0.35;

/** Adds the given voices and clips: in turn, repeated to the end, with the rest of the mix lowered beneath them. */
async function addGivenClips(mix: Mix, job: EngineJob): Promise<void> {
  const files = job.inputs.filter(({ role }) => role === 'voice' || role === 'audio_reference');
  if (files.length === 0) return;
  const { decodeAudio } = await import('#lib/media/decode-audio');
  const total = mix.left.length;
  let power = 0;
  for (let i = 0; i < total; i++) power += mix.left[i]! ** 2 + mix.right[i]! ** 2;
  const bed = power > 0 ? 0.1 / Math.sqrt(power / (2 * total)) : 0;
  const clips = await Promise.all(files.map(({ path }) => decodeAudio(path, mix.rate, total / mix.rate)));
  const level = new Float32Array(total);
  const given = [new Float32Array(total), new Float32Array(total)] as const;
  const edge = 0.03 * mix.rate;
  const gap = Math.round(0.6 * mix.rate);
  for (let at = Math.round(0.1 * mix.rate), turn = 0; at < total; turn++) {
    const { left, right } = clips[turn % clips.length]!;
    let sum = 1e-9;
    for (let i = 0; i < left.length; i++) sum += left[i]! ** 2 + right[i]! ** 2;
    const gain = GIVEN_RMS / Math.max(0.01, Math.sqrt(sum / (2 * left.length + 1)));
    const end = Math.min(total, at + left.length);
    for (let i = at; i < end; i++) {
      const fade = Math.min(1, (i - at) / edge, (end - i) / edge);
      level[i] = fade;
      given[0][i] = left[i - at]! * gain * fade;
      given[1][i] = right[i - at]! * gain * fade;
    }
    at = end + gap;
  }
  let duck = 0;
  const follow = 1 / (0.08 * mix.rate);
  for (let i = 0; i < total; i++) {
    duck += (level[i]! - duck) * follow;
    const under = bed * (1 - (1 - DUCK) * duck);
    mix.left[i] = mix.left[i]! * under + given[0][i]!;
    mix.right[i] = mix.right[i]! * under + given[1][i]!;
  }
}

/** Returns the mean brightness, 0 to 1, of the image that guides an audio job; null without one. */
async function brightnessOf(job: EngineJob): Promise<number | null> {
  const image = job.output.type === 'audio' && job.inputs.find(({ contentType }) => contentType.startsWith('image/'));
  if (!image) return null;
  const { default: sharp } = await import('sharp');
  const { channels } = await sharp(image.path).toColourspace('srgb').stats();
  const colours = channels.slice(0, 3);
  return colours.reduce((sum, { mean }) => sum + mean, 0) / colours.length / 255;
}
