import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { makeRenditions } from '#lib/media/make-renditions';
import { makeAv, makeImage, makeWav } from '#lib/media/media-test-files';
import { probeAv } from '#lib/media/probe-av';

const home = await mkdtemp(join(tmpdir(), 'pomona-renditions-'));
let folder = home;
beforeEach(async () => {
  folder = await mkdtemp(join(home, 'made-'));
});
afterAll(() => rm(home, { recursive: true }));

const sizes = (files: { width: number; height: number }[]) => files.map(({ width, height }) => [width, height]);

test('a large image gets three WebP renditions that keep its aspect ratio', async () => {
  const path = join(folder, 'large.png');
  await makeImage(3000, 2000).png().toFile(path);
  const { files } = await makeRenditions(path, 'image', folder);
  expect(sizes(files)).toEqual([
    [480, 320],
    [1024, 683],
    [2048, 1365],
  ]);
  for (const { path, width, height } of files)
    expect(await sharp(path).metadata()).toMatchObject({ format: 'webp', width, height });
});

test('an image is never enlarged', async () => {
  const path = join(folder, 'small.png');
  await makeImage(64, 96).png().toFile(path);
  expect(sizes((await makeRenditions(path, 'image', folder)).files)).toEqual([[64, 96]]);
  const middling = join(folder, 'middling.png');
  await makeImage(600, 300).png().toFile(middling);
  expect(sizes((await makeRenditions(middling, 'image', folder)).files)).toEqual([
    [480, 240],
    [600, 300],
  ]);
});

test('a rendition of an image is upright, with grey in place of transparency', async () => {
  const path = join(folder, 'turned.png');
  const clear = { r: 255, g: 0, b: 0, alpha: 0 };
  const picture = sharp({ create: { width: 60, height: 40, channels: 4, background: clear } });
  await picture.withMetadata({ orientation: 6 }).png().toFile(path);
  const { files } = await makeRenditions(path, 'image', folder);
  expect(sizes(files)).toEqual([[40, 60]]);
  const { channels } = await sharp(files[0]!.path).stats();
  expect(channels.map(({ mean }) => Math.round(mean / 4))).toEqual([32, 32, 32]);
});

test('an audio file gets peaks: 0 for silence, 100 for the loudest part', async () => {
  const path = join(folder, 'sound.wav');
  const wav = makeWav(2);
  // the second half is silent
  wav.fill(0, 44 + Math.floor((wav.length - 44) / 2));
  writeFileSync(path, wav);
  const { files, peaks = [] } = await makeRenditions(path, 'audio', folder);
  expect(files).toEqual([]);
  expect(peaks).toHaveLength(64);
  expect(Math.max(...peaks)).toBe(100);
  expect(Math.max(...peaks.slice(34))).toBe(0);
  writeFileSync(path, makeWav(1, { level: 0 }));
  expect((await makeRenditions(path, 'audio', folder)).peaks).toEqual(Array.from({ length: 64 }, () => 0));
});

test('a video gets a poster and a silent clip, and a file that is not a video is an error', async () => {
  const path = join(folder, 'film.mp4');
  writeFileSync(path, await makeAv('mp4'));
  const { files } = await makeRenditions(path, 'video', folder);
  expect(files.map(({ contentType }) => contentType)).toEqual(['image/webp', 'video/mp4']);
  expect(sizes(files)).toEqual([
    [64, 48],
    [64, 48],
  ]);
  expect(await probeAv(files[1]!.path, 'video/mp4')).toMatchObject({ width: 64, hasAudio: false });
  writeFileSync(path, 'no film');
  await expect(makeRenditions(path, 'video', folder)).rejects.toThrow();
});
