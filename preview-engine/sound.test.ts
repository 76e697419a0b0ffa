import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { synthesizeSound } from '#preview-engine/sound';
import { planSound } from '#preview-engine/sound-plan';
import { readSyllables } from '#preview-engine/sound-speech';
import { encodeAudio } from '#lib/media/encode-audio';
import type { EngineJob } from '#lib/engines/engine';
import type { StereoSound } from '#lib/media/encode-audio';

let dir: string;
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'sound-'))));
afterAll(() => rm(dir, { recursive: true }));

function job(prompt: string, config: EngineJob['config'] = {}, changes: Partial<EngineJob> = {}): EngineJob {
  return {
    requestId: 'r',
    claim: 1,
    attempt: 1,
    architecture: 'seed_audio',
    modelId: 'seed-audio-1.0',
    prompt,
    seed: 11,
    config,
    output: { type: 'audio', width: 0, height: 0, duration: 8, fps: 0, sound: true, sampleRate: 24000 },
    inputs: [],
    ...changes,
  };
}

const rms = ({ left, right }: StereoSound, from = 0, to = left.length) => {
  let sum = 0;
  for (let i = from; i < to; i++) sum += left[i]! ** 2 + right[i]! ** 2;
  return Math.sqrt(sum / (2 * (to - from)));
};

/** Returns the number of zero crossings per second, which rises with the pitch. */
const crossings = ({ left, sampleRate }: StereoSound) => {
  let count = 0;
  for (let i = 1; i < left.length; i++) if (left[i]! >= 0 !== left[i - 1]! >= 0) count++;
  return (count / left.length) * sampleRate;
};

/** Returns the level of a frequency (Goertzel algorithm, averaged over windows). */
function levelAt({ left, sampleRate }: StereoSound, frequency: number): number {
  const step = 2 * Math.cos((2 * Math.PI * frequency) / sampleRate);
  const size = 4096;
  let total = 0;
  for (let at = 0; at + size <= left.length; at += size) {
    let [one, two] = [0, 0];
    for (let i = at; i < at + size; i++) [one, two] = [left[i]! + step * one - two, one];
    total += Math.sqrt(Math.max(0, one * one + two * two - step * one * two)) / size;
  }
  return total / Math.floor(left.length / size);
}

/** Returns the number of sudden rises of the level per second. */
function onsets({ left, sampleRate }: StereoSound): number {
  const hop = Math.round(sampleRate * 0.01);
  const levels: number[] = [];
  for (let at = 0; at + hop <= left.length; at += hop)
    levels.push(Math.max(...left.subarray(at, at + hop).map(Math.abs)));
  let count = 0;
  let calm = 0;
  for (let i = 3; i < levels.length; i++) {
    calm--;
    if (calm <= 0 && levels[i]! > 0.05 && levels[i]! > 1.7 * Math.max(levels[i - 2]!, levels[i - 3]!)) {
      count++;
      calm = 6;
    }
  }
  return (count / left.length) * sampleRate;
}

/** Returns the number of seconds in which the sound is near its loudest. */
function spoken({ left, sampleRate }: StereoSound): number {
  const hop = Math.round(sampleRate * 0.05);
  const levels: number[] = [];
  for (let at = 0; at + hop <= left.length; at += hop)
    levels.push(rms({ left, right: left, sampleRate }, at, at + hop));
  const loudest = Math.max(...levels);
  return levels.filter(level => level > loudest * 0.35).length * 0.05;
}

const PROMPTS = [
  '',
  'calm piano',
  'epic battle music',
  'rain and thunder',
  'say "hello there"',
  '8-bit game',
  'ocean waves',
  'heartbeat',
  'jazz bar',
  'city traffic',
];

test.each(PROMPTS)('%j has the exact length, is loud enough, does not clip, and fades in and out', async prompt => {
  const sound = await synthesizeSound(job(prompt));
  expect([sound.left.length, sound.right.length, sound.sampleRate]).toEqual([8 * 24000, 8 * 24000, 24000]);
  expect(sound.left.every(Number.isFinite)).toBe(true);
  const peak = Math.max(
    ...[sound.left, sound.right].map(side => side.reduce((most, value) => Math.max(most, Math.abs(value)), 0)),
  );
  expect(peak).toBeLessThan(0.96);
  expect(rms(sound)).toBeGreaterThan(0.05);
  expect(Math.abs(sound.left[0]!)).toBeLessThan(0.001);
  expect(Math.abs(sound.left.at(-1)!)).toBeLessThan(0.001);
});

test('the same job gives the same samples, and another seed or prompt gives others', async () => {
  const [first, again, seed, prompt] = await Promise.all([
    synthesizeSound(job('jazz in the rain')),
    synthesizeSound(job('jazz in the rain', {}, { requestId: 'other', attempt: 2 })),
    synthesizeSound(job('jazz in the rain', {}, { seed: 12 })),
    synthesizeSound(job('jazz in the snow')),
  ]);
  expect(again.left).toEqual(first.left);
  expect(again.right).toEqual(first.right);
  expect(seed.left).not.toEqual(first.left);
  expect(prompt.left).not.toEqual(first.left);
});

test('loudness_rate acts as a gain, without clipping', async () => {
  const [soft, normal, loud] = await Promise.all(
    [-50, 0, 100].map(loudness_rate => synthesizeSound(job('calm piano', { loudness_rate }))),
  );
  expect(rms(soft!) / rms(normal!)).toBeCloseTo(0.5, 1);
  expect(rms(loud!) / rms(normal!)).toBeGreaterThan(1.7);
  expect(loud!.left.every(value => Math.abs(value) < 0.96)).toBe(true);
});

test.each(['calm piano', 'ocean waves', 'say "one two three four five six seven"'])(
  'pitch_rate raises and lowers the pitch of %j',
  async prompt => {
    const [low, normal, high] = await Promise.all(
      [-12, 0, 12].map(pitch_rate => synthesizeSound(job(prompt, { pitch_rate }))),
    );
    expect(crossings(high!)).toBeGreaterThan(crossings(normal!) * 1.15);
    expect(crossings(low!)).toBeLessThan(crossings(normal!) * 0.87);
  },
);

test.each(['techno drums', 'footsteps', 'ticking clock'])('speech_rate makes %j faster and slower', async prompt => {
  const [slow, normal, fast] = await Promise.all(
    [-50, 0, 100].map(speech_rate => synthesizeSound(job(prompt, { speech_rate }))),
  );
  expect(onsets(fast!)).toBeGreaterThan(onsets(normal!) * 1.25);
  expect(onsets(slow!)).toBeLessThan(onsets(normal!) * 0.8);
});

test('speech_rate shortens and lengthens a sentence', async () => {
  const prompt = 'say "one two three four five six seven eight nine"';
  const [slow, normal, fast] = await Promise.all(
    [-50, 0, 100].map(speech_rate => synthesizeSound(job(prompt, { speech_rate }))),
  );
  expect(spoken(slow!)).toBeGreaterThan(spoken(normal!) * 1.5);
  expect(spoken(fast!)).toBeLessThan(spoken(normal!) * 0.7);
});

test('a given clip is audible above the rest, and is repeated', async () => {
  const path = join(dir, 'voice.mp3');
  const left = Float32Array.from({ length: 2 * 24000 }, (_, i) => 0.3 * Math.sin((2 * Math.PI * 1234 * i) / 24000));
  encodeAudio(
    path,
    { left, right: left, sampleRate: 24000 },
    { architecture: 'a', modelId: 'm', prompt: '', seed: 1, settings: {} },
  );
  const inputs = [{ role: 'voice' as const, path, contentType: 'audio/mpeg' }];
  const [without, given] = await Promise.all([
    synthesizeSound(job('calm piano')),
    synthesizeSound(job('calm piano', {}, { inputs })),
  ]);
  expect(levelAt(given, 1234)).toBeGreaterThan(levelAt(without, 1234) * 10);
  const lastSecond = { ...given, left: given.left.subarray(5.5 * 24000, 6.5 * 24000) };
  expect(levelAt(lastSecond, 1234)).toBeGreaterThan(0.02);
});

test('words in the prompt choose what is played', () => {
  expect(planSound('Regen im Wald', 1, null)).toMatchObject({ textures: ['rain', 'birds'], speech: '' });
  expect(planSound('海の波', 1, null).textures).toContain('waves');
  expect(planSound('epic orchestra with drums', 1, null).mood).toMatchObject({ scale: 'minor', beat: 'march' });
  expect(planSound('a sad violin melody', 1, null)).toMatchObject({
    music: 1,
    mood: { scale: 'minor', lead: 'strings' },
  });
  expect(planSound('a happy jazz tune', 1, null).mood).toMatchObject({ scale: 'major', lead: 'reed', beat: 'swing' });
  expect(planSound('An old woman says: come in, child', 1, null)).toMatchObject({
    speech: 'come in, child',
    speaker: 'child',
  });
  expect(planSound('narrator: "Once upon a time" and "the end"', 1, null).speech).toBe('Once upon a time. the end');
  expect(planSound('hats and scatter', 1, null)).toMatchObject({ textures: [], pulses: [], speech: '' });
});

test.each([
  ['no music, only rain', { music: 0, textures: ['rain'] }],
  ['rain without any music or thunder', { music: 0, textures: ['rain'] }],
  ['Regen ohne Musik', { music: 0, textures: ['rain'] }],
  ['no music', { music: 0, textures: ['drone'] }],
  ['a man says hello, no music', { music: 0, textures: [] }],
  ['calm piano, no voice', { music: 1, speech: '' }],
  ['a sad song with no rain and with thunder', { music: 1, textures: ['thunder'] }],
  ['techno without drums', { music: 1, mood: { beat: 'none' } }],
  ['a piano in the casino', { music: 1 }],
])('sounds that a prompt excludes are not played: %s', (prompt, plan) => {
  expect(planSound(prompt, 1, null)).toMatchObject(plan);
});

test('handles are not read as words', () => {
  expect(planSound('@rain and @piano meet in a room', 1, null)).toEqual(
    planSound('@anna and @bo meet in a room', 1, null),
  );
});

test('quoted text is spoken, with any kind of quotation marks', () => {
  expect(planSound('she says „Guten Tag“ and «bonjour», 「こんにちは」', 1, null).speech).toBe(
    'Guten Tag. bonjour. こんにちは',
  );
  expect(planSound('「彼は『はい』と言った」', 1, null).speech).toBe('はい');
  expect(planSound(`${'„'.repeat(40_000)}Guten Tag“`, 1, null).speech).toBe('Guten Tag');
});

test('text is split into syllables in any script', () => {
  expect(readSyllables('Hello, wonderful world!')).toHaveLength(6);
  expect(readSyllables('你好吗？')).toHaveLength(3);
  expect(readSyllables('Привет')).toHaveLength(2);
  expect(readSyllables('')).toEqual([]);
  expect(readSyllables('really?').at(-1)!.lift).toBeGreaterThan(1);
});
