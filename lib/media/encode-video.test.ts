import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeVideo } from '#lib/media/encode-video';
import { openSourceVideo } from '#lib/media/open-source-video';
import { SNIFF_BYTES, sniffType } from '#lib/media/sniff';

const tags = { architecture: 'kiwi', modelId: 'kiwi', prompt: 'Welle 波', seed: 3, settings: { duration: '5' } };
let dir: string;
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'encode-video-'))));
afterAll(() => rm(dir, { recursive: true }));

/** A clip with a different grey in each second: 0 (black) in second 0, 50 in second 1, 100 in second 2, and so on. */
const greys = (width: number, height: number, fps: number, seconds: number) => ({
  width,
  height,
  fps,
  count: seconds * fps,
  draw: (index: number, into: Uint8Array) => void into.fill(Math.floor(index / fps) * 50),
});

test('a video with sound has exactly the requested size, length, frame rate and codecs', async () => {
  const path = join(dir, 'sound.mp4');
  const left = Float32Array.from({ length: 3 * 48000 }, (_, i) => 0.2 * Math.sin(i * 0.05));
  await encodeVideo(path, greys(322, 180, 24, 3), { left, right: left, sampleRate: 48000 }, tags);
  using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  expect(await input.computeDuration()).toBeCloseTo(3, 3);
  const video = (await input.getPrimaryVideoTrack())!;
  expect(await video.getCodec()).toBe('avc');
  expect([await video.getDisplayWidth(), await video.getDisplayHeight()]).toEqual([322, 180]);
  expect(await video.computeDuration()).toBeCloseTo(3, 6);
  const stats = await video.computePacketStats();
  expect([stats.packetCount, stats.averagePacketRate]).toEqual([72, 24]);
  const audio = (await input.getPrimaryAudioTrack())!;
  expect(await audio.getCodec()).toBe('aac');
  expect(await audio.computeDuration()).toBeCloseTo(3, 1);

  const { comment, title, description } = await input.getMetadataTags();
  expect(JSON.parse(comment!)).toMatchObject({ seed: 3, prompt: 'Welle 波', settings: { duration: '5' } });
  expect(title).toBe('Welle 波');
  expect(description).toContain('Seed: 3');
});

test('a video without sound has no audio track, and its index precedes the media data', async () => {
  const path = join(dir, 'silent.mp4');
  await encodeVideo(path, greys(64, 48, 25, 2), null, tags);
  using input = new Input({ source: new FilePathSource(path), formats: ALL_FORMATS });
  expect(await input.getPrimaryAudioTrack()).toBeNull();
  expect(await input.computeDuration()).toBeCloseTo(2, 6);
  const bytes = await readFile(path);
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
});

test('a video whose prompt contains markup is still detected as an MP4', async () => {
  const path = join(dir, 'page.mp4');
  await encodeVideo(path, greys(64, 48, 24, 1), null, { ...tags, prompt: 'a page, <html>' });
  const bytes = await readFile(path);
  expect(bytes.indexOf('<html>')).toBeLessThan(SNIFF_BYTES);
  expect(sniffType(bytes)).toBe('video/mp4');
});

test('frames drawn in another size are scaled to the size of the video', async () => {
  const path = join(dir, 'enlarged.mp4');
  const drawn = { width: 31, height: 25 };
  // light on the left half, dark on the right half
  const draw = (_: number, into: Uint8Array) => into.forEach((__, at) => (into[at] = (at / 4) % 31 < 16 ? 200 : 40));
  await encodeVideo(path, { ...greys(64, 48, 24, 1), drawn, draw }, null, tags);
  using video = openSourceVideo(path);
  const { width, height, data } = video.frameAt(0.5);
  expect([width, height]).toEqual([64, 48]);
  for (const row of [1, 24, 46]) {
    expect(data[(row * 64 + 10) * 4]!).toBeGreaterThan(180);
    expect(data[(row * 64 + 54) * 4]!).toBeLessThan(60);
  }
});

test('an odd side length is refused', async () => {
  await expect(encodeVideo(join(dir, 'odd.mp4'), greys(65, 48, 24, 1), null, tags)).rejects.toThrow('even');
});

test('a source video is read frame by frame, and its last frame is held', async () => {
  const path = join(dir, 'source.mp4');
  await encodeVideo(path, greys(64, 48, 24, 3), null, tags);
  using video = openSourceVideo(path, 32);
  expect(video.duration).toBeCloseTo(3, 6);
  const greyAt = (seconds: number) => {
    const { width, height, data } = video.frameAt(seconds);
    expect([width, height, data.length]).toEqual([32, 24, 32 * 24 * 4]);
    return Math.round(data[0]! / 10) * 10;
  };
  expect([0, 0.97, 1, 1.5, 2.01, 9].map(greyAt)).toEqual([0, 0, 50, 50, 100, 100]);
});

test('opening a file without video throws an error that says so', () => {
  expect(() => openSourceVideo(import.meta.filename)).toThrow('cannot be read');
});
