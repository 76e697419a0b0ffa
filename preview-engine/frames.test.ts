import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFrames } from '#preview-engine/frames';
import { difference, givePicture, makeJob, mean, pixelsOf } from '#preview-engine/picture-test-proof';
import type { EngineJob } from '#lib/engines/engine';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'visuals-'));
});
afterAll(() => rm(folder, { recursive: true }));

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

test('frames differ over time, and any frame can be drawn again', async () => {
  const [a, b, again] = await drawFrames(makeJob('sea at sunset', {}, video), [0, 4, 0]);
  expect(difference(a!, b!)).toBeGreaterThan(1);
  expect(difference(a!, again!)).toBe(0);
});

test('a video starts from its first frame and ends at its last', async () => {
  const first = await givePicture(folder, 'first_frame', 'first', ['#e04030', '#f0e0c0']);
  const last = await givePicture(folder, 'last_frame', 'last', ['#2040a0', '#80d0e0']);
  const [start, middle, end] = await drawFrames(makeJob('snow', { inputs: [first, last] }, video), [0, 4, 7]);
  expect(difference(start!, await pixelsOf(first))).toBeLessThan(1);
  expect(difference(end!, await pixelsOf(last))).toBeLessThan(1);
  expect(difference(middle!, start!)).toBeGreaterThan(5);
  const [, near] = await drawFrames(makeJob('snow', { inputs: [first] }, video), [0, 1]);
  expect(difference(near!, start!)).toBeLessThan(20);
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
