import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createFrames, type ReadSourceFrame } from '#preview-engine/frames';
import { paintLandscape } from '#preview-engine/paint-landscape';
import { difference, givePicture, makeJob, mean, pixelsOf } from '#preview-engine/picture-test-proof';
import { paintedSize } from '#preview-engine/raster';
import type { EngineJob } from '#lib/engines/engine';

vi.mock('#preview-engine/paint-landscape', { spy: true });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'visuals-'));
});
afterAll(() => rm(folder, { recursive: true }));

const video = { type: 'video', duration: 1, fps: 8 } as const;

async function drawFrames(job: EngineJob, wanted: number[], source?: ReadSourceFrame): Promise<Uint8Array[]> {
  const { count, draw } = await createFrames(job, source);
  expect(count).toBe(8);
  const frames: Uint8Array[] = [];
  for (const index of wanted) {
    const into = new Uint8Array(job.output.width * job.output.height * 4);
    await draw(index, into);
    frames.push(into);
  }
  return frames;
}

test('frames differ over time, and drawing a frame again gives the same result', async () => {
  const [a, b, again] = await drawFrames(makeJob('sea at sunset', {}, video), [0, 4, 0]);
  expect(difference(a!, b!)).toBeGreaterThan(1);
  expect(difference(a!, again!)).toBe(0);
});

test('a video starts at the given first frame and ends at the given last frame', async () => {
  const first = await givePicture(folder, 'first_frame', 'first', ['#e04030', '#f0e0c0']);
  const last = await givePicture(folder, 'last_frame', 'last', ['#2040a0', '#80d0e0']);
  const [start, middle, end] = await drawFrames(makeJob('snow', { inputs: [first, last] }, video), [0, 4, 7]);
  expect(difference(start!, await pixelsOf(first))).toBeLessThan(1);
  expect(difference(end!, await pixelsOf(last))).toBeLessThan(1);
  expect(difference(middle!, start!)).toBeGreaterThan(5);
  const [, near] = await drawFrames(makeJob('snow', { inputs: [first] }, video), [0, 1]);
  expect(difference(near!, start!)).toBeLessThan(20);
});

test('a source video is repainted frame by frame', async () => {
  const asked: number[] = [];
  const source = async (seconds: number) => {
    asked.push(seconds);
    return { width: 80, height: 80, data: new Uint8Array(80 * 80 * 4).fill(seconds > 0.2 ? 220 : 60) };
  };
  const [dark, light] = await drawFrames(makeJob('oil painting, sunset', {}, video), [0, 4], source);
  expect(asked).toEqual([0, 0.5]);
  expect(mean(light!)[1] - mean(dark!)[1]).toBeGreaterThan(40);
});

test('a large video is painted at a smaller size, including its given first frame', async () => {
  const first = await givePicture(folder, 'first_frame', 'first', ['#e04030', '#f0e0c0']);
  const job = makeJob('sea', { inputs: [first] }, { ...video, width: 3840, height: 2160 });
  const { width, height } = paintedSize(job.output);
  expect(width * height).toBeLessThan(3_000_000);
  expect(width / height).toBeCloseTo(16 / 9, 2);
  const into = new Uint8Array(width * height * 4);
  await (await createFrames(job)).draw(0, into);
  expect(mean(into)[0]).toBeGreaterThan(100);
});

test('a video from a source video also starts at the given first frame and ends at the given last frame', async () => {
  const first = await givePicture(folder, 'first_frame', 'first', ['#e04030', '#f0e0c0']);
  const last = await givePicture(folder, 'last_frame', 'last', ['#2040a0', '#80d0e0']);
  const source = async () => ({ width: 80, height: 60, data: new Uint8Array(80 * 60 * 4).fill(128) });
  const draws = (inputs: EngineJob['inputs']) => drawFrames(makeJob('snow', { inputs }, video), [0, 4, 7], source);
  const [start, middle, end] = await draws([first, last]);
  const [bare, plain] = await draws([]);
  expect(difference(start!, await pixelsOf(first))).toBe(0);
  expect(difference(end!, await pixelsOf(last))).toBe(0);
  expect(difference(middle!, plain!)).toBeLessThan(20);
  expect(difference(bare!, start!)).toBeGreaterThan(20);
});

test('no landscape is painted when a source video or a first frame would cover it', async () => {
  const first = await givePicture(folder, 'first_frame', 'first', ['#e04030', '#f0e0c0']);
  const source = async () => ({ width: 80, height: 60, data: new Uint8Array(80 * 60 * 4).fill(128) });
  const prepared = async (inputs: EngineJob['inputs'], given?: ReadSourceFrame) => {
    vi.mocked(paintLandscape).mockClear();
    await createFrames(makeJob('sea', { inputs }, video), given);
    return vi.mocked(paintLandscape).mock.calls.length;
  };
  expect([await prepared([]), await prepared([first]), await prepared([], source)]).toEqual([1, 0, 0]);
});
