import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultsOf } from '#lib/catalog/architecture';
import { getArchitecture, loadCatalog } from '#lib/catalog/catalog';
import { followSource } from '#lib/catalog/follow-source';
import { outputOf } from '#lib/catalog/output-of';
import { MOST_OFF, outputSize } from '#lib/catalog/output-size';
import { ratioOf } from '#lib/output-spec';

const catalog = loadCatalog(join(import.meta.dirname, '../../catalog'));
const output = (id: string, config: Record<string, unknown> = {}, video?: Parameters<typeof followSource>[2]) => {
  const architecture = getArchitecture(id, catalog);
  const resolved = { ...defaultsOf(architecture, architecture.default_model_id), ...config };
  return outputOf(architecture, followSource(architecture, resolved, video));
};
const size = (id: string, config: Record<string, unknown>) => {
  const { width, height } = output(id, config);
  return `${width}×${height}`;
};

test.each([
  ['mango', '1:1', '1K', '1024×1024'],
  ['mango', '4:5', '1K', '896×1120'],
  ['mango', '16:9', '4K', '5376×3024'],
  ['anima', '1:1', '2k', '2048×2048'],
  ['kiwi', '16:9', '480p', '854×480'],
  ['kiwi', '9:16', '1080p', '1080×1920'],
  ['cherry', '16:9', '4k', '3840×2160'],
  ['plum', '21:9', '2K', '3360×1440'],
  ['plum', '16:9', '768P', '1366×768'],
  ['melon', '4:3', '540p', '720×540'],
  ['ltx_video', '3:2', '240p', '384×256'],
  ['ltx_video', '4:5', '240p', '256×320'],
  ['ltx_video', '16:9', '240p', '448×256'],
  ['ltx_video', '16:9', '720p', '1312×736'],
])('%s at aspect ratio %s and resolution %s gives %s', (id, ratio, resolution, expected) => {
  expect(size(id, { aspect_ratio: ratio, resolution })).toBe(expected);
});

test('without a resolution an image has about one megapixel', () => {
  expect(size('chroma', {})).toBe('896×1120');
});

test.each([
  ['1:1', '1024×1024'],
  ['4:5', '880×1168'],
  ['3:2', '1248×832'],
  ['16:9', '1360×768'],
  ['9:21', '768×1360'],
])('a model with fixed sizes makes aspect ratio %s in the nearest size, %s', (ratio, expected) => {
  expect(size('hidream', { aspect_ratio: ratio })).toBe(expected);
});

const free = catalog.list().filter(({ output }) => !output?.sizes);
test.each(free.map(architecture => [architecture.id, architecture] as const))(
  '%s: every size is encodable and close to the requested area and ratio, for images with the exact ratio',
  (id, { type, fields, output: rule, roles }) => {
    for (const ratio of fields[roles.aspect_ratio ?? '']?.enum ?? []) {
      for (const resolution of fields[roles.resolution ?? '']?.enum ?? [undefined]) {
        const { width, height } = output(id, { aspect_ratio: ratio, resolution });
        expect([width % (rule?.multiple ?? 1), height % (rule?.multiple ?? 1)]).toEqual([0, 0]);
        expect(Math.max(width, height)).toBeLessThanOrEqual(8192);
        const [w = 0, h = 0] = ratio.split(':').map(Number);
        if (type === 'image') expect(width * h).toBe(height * w);
        expect(Math.abs(Math.log(width / height / (w / h)))).toBeLessThan(0.02);
        const side = typeof rule?.side === 'number' ? rule.side : (rule?.side[String(resolution)] ?? 0);
        const area = side * side * (rule?.fit === 'area' ? 1 : Math.max(w / h, h / w));
        expect(Math.max((width * height) / area, area / (width * height))).toBeLessThanOrEqual(MOST_OFF);
      }
    }
  },
);

test('duration, frame rate and sound follow from the config', () => {
  expect(output('kiwi', { duration: '10' })).toMatchObject({ duration: 10, fps: 24, sound: false, sampleRate: 0 });
  expect(output('ltx_video')).toMatchObject({ duration: 121 / 24, fps: 24 });
  // whole frames, as in the file
  expect(output('berry', {}, { width: 640, height: 360, duration: 3.9 }).duration).toBe(94 / 24);
  expect(output('lemon')).toMatchObject({ sound: true, sampleRate: 48000 });
  expect(output('lemon', { audio: false })).toMatchObject({ sound: false, sampleRate: 0 });
  expect(output('melon').sound).toBe(false);
  expect(output('melon', { generate_audio: true }).sound).toBe(true);
  expect(output('cherry').sound).toBe(true);
  expect(output('seed_audio', { duration: '30', sample_rate: 24000 })).toEqual({
    type: 'audio',
    width: 0,
    height: 0,
    duration: 30,
    fps: 0,
    sound: true,
    sampleRate: 24000,
  });
});

test('a sample rate between those of MP3 is raised to the next one', () => {
  const rates = [8000, 8001, 9001, 22_050, 24_001, 44_101, 48_000];
  const taken = [8000, 11_025, 11_025, 22_050, 32_000, 48_000, 48_000];
  expect(rates.map(sample_rate => output('seed_audio', { sample_rate }).sampleRate)).toEqual(taken);
});

test('an extreme aspect ratio still gives a valid size', () => {
  expect(outputSize(1, 100, 64)).toEqual({ width: 64, height: 64 });
  expect(outputSize(10, 100, 64)).toEqual({ width: 64, height: 64 });
  expect(output('berry', { model_id: 'berry' }, { width: 8000, height: 16, duration: 4 })).toMatchObject({
    width: 4800,
    height: 480,
  });
});

test.each([
  // the nearest area, however coarse the multiple
  ['16:9', 480, 16, 912, 512],
  ['21:9', 20, 8, 48, 24],
  // the exact ratio, to the pixel
  ['5:4', 540, 2, 676, 540],
])('%s with a shorter side of about %i by multiples of %i is %i × %i', (shape, side, multiple, width, height) => {
  const ratio = ratioOf(shape);
  expect(outputSize(ratio, side * side * ratio, multiple)).toEqual({ width, height });
});

test.each([
  [8192, 820, 8192, 820],
  [820, 8192, 820, 8192],
])('the output for a source video of %i × %i stays within the maximum side length', (width, height, w, h) => {
  const made = output('berry', { model_id: 'berry', resolution: '1080p' }, { width, height, duration: 4 });
  expect(made).toMatchObject({ width: w, height: h });
});

test('berry takes duration and aspect ratio from a source video, lemon does not', () => {
  const video = { width: 1000, height: 2000, duration: 12.5 };
  expect(output('berry', { model_id: 'berry', resolution: '720p' }, video)).toMatchObject({
    width: 720,
    height: 1440,
    duration: 12.5,
  });
  expect(output('lemon', {}, video)).toMatchObject({ width: 854, height: 480, duration: 3 });
});
