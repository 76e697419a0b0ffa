import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeVideo } from '#lib/media/encode-video';
import { THRESHOLD, classifyImage, classifyVideo, judge, scoreOf } from '#lib/media/nsfw';
import scoreMedia from '#lib/media/score-nsfw';

process.env.LOG_LEVEL = 'silent';
let dir: string;
let sea: string;
let black: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'nsfw-'));
  // created first: opening an image disables SVG rendering for the whole process
  sea = await save('sea.png', landscape());
  black = await save('black.png', landscape().linear(0).png());
});
afterAll(() => rm(dir, { recursive: true }));
const save = async (name: string, picture: Sharp) => {
  const path = join(dir, name);
  await picture.toFile(path);
  return path;
};

/** A drawn landscape of sky, sun and sea. */
const landscape = () =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="300" fill="#7fb2e5"/>
      <circle cx="470" cy="110" r="48" fill="#fff3b0"/><rect y="300" width="640" height="180" fill="#1f5f8b"/></svg>`,
    ),
  ).png();

test('the model gives probabilities, which differ between images', async () => {
  const [[one], [other]] = [await scoreMedia({ image: sea }), await scoreMedia({ image: black })];
  for (const scores of [one!, other!])
    expect(Object.values(scores).reduce((sum, value) => sum + value)).toBeCloseTo(1, 3);
  expect(one).not.toEqual(other);
});

test('the model gives the same scores as TensorFlow.js', async () => {
  const [scores] = await scoreMedia({ image: sea });
  const theirs = { drawing: 0.02728, hentai: 0.00332, neutral: 0.96884, porn: 0.00014, sexy: 0.00042 };
  for (const [name, score] of Object.entries(theirs))
    expect(scores![name as keyof typeof theirs]).toBeCloseTo(score, 4);
});

test('a landscape is classified as safe', async () => {
  const verdict = await classifyImage(sea);
  expect(verdict).toMatchObject({ nsfw: false });
  expect(verdict.score).toBeLessThan(THRESHOLD / 2);
});

test('a video is classified by frames spread over its length', async () => {
  const path = join(dir, 'grey.mp4');
  const picture = {
    width: 64,
    height: 64,
    fps: 24,
    count: 24,
    draw: (index: number, into: Uint8Array) => void into.fill(index * 10),
  };
  await encodeVideo(path, picture, null, { architecture: 'a', modelId: 'm', prompt: '', seed: 1, settings: {} });
  const scores = await scoreMedia({ video: path, samples: 3 });
  expect(scores).toHaveLength(3);
  expect(scores[0]).not.toEqual(scores[2]);
  const verdict = await classifyVideo(path, 3);
  expect(verdict.nsfw).toBe(false);
  expect(verdict.score).toBeCloseTo(Math.max(...scores.map(scoreOf)), 3);
});

const none = { drawing: 0, hentai: 0, neutral: 0, porn: 0, sexy: 0 };

test('explicit classes reach the threshold, the class sexy alone does not', () => {
  expect(scoreOf({ ...none, porn: 0.5, hentai: 0.2, neutral: 0.3 })).toBeGreaterThan(THRESHOLD);
  expect(scoreOf({ ...none, sexy: 1 })).toBeLessThan(THRESHOLD);
});

test('one explicit image among several makes the result nsfw', () => {
  const [tame, explicit] = [
    { ...none, neutral: 1 },
    { ...none, porn: 0.9 },
  ];
  expect(judge([tame, explicit, tame])).toEqual({ nsfw: true, score: 0.9 });
  expect(judge([tame, tame])).toEqual({ nsfw: false, score: 0 });
});

test('a file that is not an image is an error, and later images are still classified', async () => {
  const path = join(dir, 'no-picture.png');
  await writeFile(path, 'no picture');
  await expect(classifyImage(path)).rejects.toThrow();
  expect(await classifyImage(sea)).toMatchObject({ nsfw: false });
});
