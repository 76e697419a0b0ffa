import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { makePreview } from '#lib/media/make-preview';
import { makeAv, makeImage, makeWav } from '#lib/media/media-test-files';

const folder = await mkdtemp(join(tmpdir(), 'pomona-preview-'));
const to = join(folder, 'preview.jpg');
afterAll(() => rm(folder, { recursive: true }));

test('a picture becomes a JPEG of at most 480 pixels a side, in its own shape', async () => {
  const path = join(folder, 'large.png');
  await makeImage(1200, 800).png().toFile(path);
  expect(await makePreview(path, 'image/png', to)).toEqual({ width: 480, height: 320 });
  expect(await sharp(to).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 320 });
});

test('a small picture is not enlarged', async () => {
  const path = join(folder, 'small.png');
  await makeImage(64, 96).png().toFile(path);
  expect(await makePreview(path, 'image/png', to)).toEqual({ width: 64, height: 96 });
});

test('a sound gives its course: silence stays low, the loudest part is 100', async () => {
  const path = join(folder, 'sound.wav');
  const wav = makeWav(2);
  // the second half is silent
  wav.fill(0, 44 + Math.floor((wav.length - 44) / 2));
  writeFileSync(path, wav);
  const made = await makePreview(path, 'audio/wav', to);
  const peaks = 'peaks' in made ? made.peaks : [];
  expect(peaks).toHaveLength(64);
  expect(Math.max(...peaks)).toBe(100);
  expect(Math.max(...peaks.slice(34))).toBe(0);
});

test('a film gives a picture from its beginning, and what is no film gives an error', async () => {
  const path = join(folder, 'film.mp4');
  writeFileSync(path, await makeAv('mp4'));
  expect(await makePreview(path, 'video/mp4', to)).toEqual({ width: 64, height: 48 });
  writeFileSync(path, 'no film');
  await expect(makePreview(path, 'video/mp4', to)).rejects.toThrow();
});
