import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFrames } from '#lib/engines/builtin/frames';
import { renderImage } from '#lib/engines/builtin/render-image';
import type { EngineJob, JobInput, OutputSpec } from '#lib/engines/engine';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'visuals-'));
});
afterAll(() => rm(folder, { recursive: true }));

function makeJob(prompt: string, change: Partial<EngineJob> = {}, output: Partial<OutputSpec> = {}): EngineJob {
  return {
    requestId: '0',
    attempt: 1,
    architecture: 'mango',
    modelId: 'mango',
    prompt,
    seed: 7,
    config: {},
    inputs: [],
    output: { type: 'image', width: 160, height: 120, duration: 0, fps: 0, sound: false, sampleRate: 0, ...output },
    ...change,
  };
}

async function render(job: EngineJob): Promise<Uint8Array> {
  const { data } = await renderImage(job, () => {});
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

const video = { type: 'video', duration: 1, fps: 8 } as const;

async function drawFrames(job: EngineJob, wanted: number[]): Promise<Uint8Array[]> {
  const { count, draw } = await createFrames(job);
  expect(count).toBe(8);
  const frames: Uint8Array[] = [];
  for (const index of wanted) {
    const into = new Uint8Array(job.output.width * job.output.height * 4);
    await draw(index, into);
    frames.push(into);
  }
  return frames;
}

/** Mean difference of colour parts, 0..255. */
function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) if ((i & 3) !== 3) sum += Math.abs(a[i]! - b[i]!);
  return sum / (a.length * 0.75);
}

function mean(data: Uint8Array): [number, number, number] {
  const sums: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) for (const part of [0, 1, 2] as const) sums[part] += data[i + part]!;
  return sums.map(sum => sum / (data.length / 4)) as [number, number, number];
}

/** A picture that no scene looks like: hard stripes in two colours. */
async function givePicture(role: JobInput['role'], name: string, colours: [string, string]): Promise<JobInput> {
  const path = join(folder, `${name}.png`);
  const stripes = [0, 1, 2, 3]
    .map(i => `<rect y="${i * 30}" width="160" height="30" fill="${colours[i % 2]}"/>`)
    .join('');
  await sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120">${stripes}</svg>`))
    .png()
    .toFile(path);
  return { role, path, contentType: 'image/png' };
}

const pixelsOf = async (input: JobInput) => new Uint8Array(await sharp(input.path).ensureAlpha().raw().toBuffer());

test('the same job gives the same bytes; seed, architecture and words change them', async () => {
  const first = await render(makeJob('a lighthouse at dusk'));
  expect(Buffer.from(await render(makeJob('a lighthouse at dusk'))).equals(Buffer.from(first))).toBe(true);
  expect(difference(first, await render(makeJob('a lighthouse at dusk', { seed: 8 })))).toBeGreaterThan(6);
  expect(difference(first, await render(makeJob('a lighthouse at dusk', { architecture: 'kiwi' })))).toBeGreaterThan(3);
  expect(difference(first, await render(makeJob('a lighthouse at dusk, quizzical')))).toBeGreaterThan(3);
});

test.each([
  [37, 211],
  [640, 64],
  [1, 1],
  [129, 96],
])('a picture of %i by %i is exactly that', async (width, height) => {
  const picture = await renderImage(makeJob('koi pond', {}, { width, height }), () => {});
  expect(picture).toMatchObject({ width, height });
  expect(picture.data.length).toBe(width * height * picture.channels);
});

test('a picture beyond the painting size is enlarged to exactly the asked size', async () => {
  const picture = await renderImage(makeJob('sea', {}, { width: 2600, height: 1300 }), () => {});
  expect(picture.data.length).toBe(2600 * 1300 * picture.channels);
});

test('progress rises to 1', async () => {
  const seen: number[] = [];
  await renderImage(makeJob('forest'), fraction => seen.push(fraction));
  expect(seen.length).toBeGreaterThan(3);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(1);
});

test('words move the palette, in any language', async () => {
  for (const [cold, hot] of [
    ['blue ocean', 'red desert'],
    ['blauer ozean', 'rote wüste'],
    ['青い海', '赤い砂漠'],
  ] as const) {
    const [r, , b] = mean(await render(makeJob(cold)));
    const [r2, , b2] = mean(await render(makeJob(hot)));
    expect(b - r, cold).toBeGreaterThan(15);
    expect(r2 - b2, hot).toBeGreaterThan(15);
  }
  const [day] = [mean(await render(makeJob('mountains at noon')))];
  const night = mean(await render(makeJob('mountains at midnight')));
  expect(day[1] - night[1]).toBeGreaterThan(50);
});

test('a negative prompt takes elements away', async () => {
  const rain = makeJob('city street, rain');
  const dry = { ...rain, config: { negative_prompt: 'rain' } };
  expect(difference(await render(rain), await render(dry))).toBeGreaterThan(3);
  expect(difference(await render(dry), await render(makeJob('city street')))).toBe(0);
});

test('every kind of scene paints without a fault', async () => {
  const prompts = [
    '',
    '🦊',
    'ωμέγα',
    'portrait of a man',
    'still life with wine, candle and mushrooms',
    'jellyfish',
    'rocket',
    'train and bridge in snow',
    'pixel art castle',
    'ink wash mountains',
    'oil painting of a horse',
    'dragon, lava',
    'butterfly',
    'windmill, rainbow',
    'noir city',
    'planet',
    'dog on the beach with palm trees',
  ];
  for (const prompt of prompts) {
    const [r, g, b] = mean(await render(makeJob(prompt, {}, { width: 96, height: 160 })));
    expect(r + g + b, prompt).toBeGreaterThan(15);
    expect(r + g + b, prompt).toBeLessThan(750);
  }
});

test.each([1, 2, 7, 50])('%i given references are seen in the picture', async count => {
  const inputs = await Promise.all(
    Array.from({ length: count }, () => givePicture('reference', 'magenta', ['#ff00ff', '#ff00ff'])),
  );
  const data = await render(makeJob('green hills', { inputs }, { width: 320, height: 240 }));
  let magenta = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i]! - data[i + 1]! > 90 && data[i + 2]! - data[i + 1]! > 90) magenta++;
  expect(magenta / (data.length / 4)).toBeGreaterThan(0.15);
});

test('frames differ over time, and any frame can be drawn again', async () => {
  const [a, b, again] = await drawFrames(makeJob('sea at sunset', {}, video), [0, 4, 0]);
  expect(difference(a!, b!)).toBeGreaterThan(1);
  expect(difference(a!, again!)).toBe(0);
});

test('a video starts from its first frame and ends at its last', async () => {
  const first = await givePicture('first_frame', 'first', ['#e04030', '#f0e0c0']);
  const last = await givePicture('last_frame', 'last', ['#2040a0', '#80d0e0']);
  const [start, middle, end] = await drawFrames(makeJob('snow', { inputs: [first, last] }, video), [0, 4, 7]);
  expect(difference(start!, await pixelsOf(first))).toBeLessThan(1);
  expect(difference(end!, await pixelsOf(last))).toBeLessThan(1);
  expect(difference(middle!, start!)).toBeGreaterThan(5);
  const [, near] = await drawFrames(makeJob('snow', { inputs: [first] }, video), [0, 1]);
  expect(difference(near!, start!)).toBeLessThan(20);
});

test('an image job is painted over the first frame it is given', async () => {
  const first = await givePicture('first_frame', 'base', ['#e04030', '#f0e0c0']);
  expect(difference(await render(makeJob('dusk', { inputs: [first] })), await pixelsOf(first))).toBeLessThan(60);
});

test('a source video is repainted frame by frame, and held when it ends early', async () => {
  const asked: number[] = [];
  const frames = await createFrames(makeJob('oil painting, sunset', {}, video), async seconds => {
    asked.push(seconds);
    return seconds > 0.5
      ? null
      : { width: 80, height: 80, data: new Uint8Array(80 * 80 * 4).fill(seconds > 0.2 ? 220 : 60) };
  });
  const [dark, light, held] = [0, 4, 7].map(() => new Uint8Array(160 * 120 * 4)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  await frames.draw(0, dark);
  await frames.draw(4, light);
  await frames.draw(7, held);
  expect(asked).toEqual([0, 0.5, 0.875]);
  expect(mean(light)[1] - mean(dark)[1]).toBeGreaterThan(40);
  expect(Math.abs(mean(held)[1] - mean(light)[1])).toBeLessThan(5);
});
