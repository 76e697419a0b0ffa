import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { difference, givePicture, makeJob, mean, pixelsOf } from '#preview-engine/picture-test-proof';
import { renderImage } from '#preview-engine/render-image';
import type { EngineJob } from '#lib/engines/engine';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'visuals-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function render(job: EngineJob): Promise<Uint8Array> {
  const { data } = await renderImage(job, () => {});
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

test('the same job gives the same bytes, and another seed, architecture or prompt gives others', async () => {
  const first = await render(makeJob('a lighthouse at dusk'));
  expect(Buffer.from(await render(makeJob('a lighthouse at dusk'))).equals(Buffer.from(first))).toBe(true);
  expect(difference(first, await render(makeJob('a lighthouse at dusk', { seed: 8 })))).toBeGreaterThan(6);
  expect(difference(first, await render(makeJob('a lighthouse at dusk', { architecture: 'kiwi' })))).toBeGreaterThan(3);
  expect(difference(first, await render(makeJob('a lighthouse at dusk, quizzical')))).toBeGreaterThan(3);
  expect(difference(await render(makeJob('🦊')), await render(makeJob('🚀')))).toBeGreaterThan(3);
});

test.each([
  [37, 211],
  [640, 64],
  [1, 1],
  [129, 96],
])('an image of %i by %i pixels has exactly that size', async (width, height) => {
  const picture = await renderImage(makeJob('koi pond', {}, { width, height }), () => {});
  expect(picture).toMatchObject({ width, height });
  expect(picture.data.length).toBe(width * height * picture.channels);
});

test('an image beyond the painting size is enlarged to exactly the requested size', async () => {
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

test('words change the palette, in any language', async () => {
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

test('a negative prompt removes elements', async () => {
  const rain = makeJob('city street, rain');
  const dry = { ...rain, config: { negative_prompt: 'rain' } };
  expect(difference(await render(rain), await render(dry))).toBeGreaterThan(3);
  expect(difference(await render(dry), await render(makeJob('city street')))).toBe(0);
});

test('every kind of scene gives an image that is neither black nor white', async () => {
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

test.each([1, 2, 7, 50])('%i given references are visible in the image', async count => {
  const inputs = await Promise.all(
    Array.from({ length: count }, () => givePicture(folder, 'reference', 'magenta', ['#ff00ff', '#ff00ff'])),
  );
  const data = await render(makeJob('green hills', { inputs }, { width: 320, height: 240 }));
  let magenta = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i]! - data[i + 1]! > 90 && data[i + 2]! - data[i + 1]! > 90) magenta++;
  expect(magenta / (data.length / 4)).toBeGreaterThan(0.15);
});

test('an image job is painted over its given first frame', async () => {
  const first = await givePicture(folder, 'first_frame', 'base', ['#e04030', '#f0e0c0']);
  expect(difference(await render(makeJob('dusk', { inputs: [first] })), await pixelsOf(first))).toBeLessThan(60);
});
