import sharp from 'sharp';
import { expect, test } from 'vitest';
import { encodeImage } from '#lib/media/encode-image';
import { sniffType } from '#lib/media/sniff';

const picture = {
  width: 3,
  height: 2,
  channels: 4 as const,
  data: new Uint8Array(24).map((_, i) => (i % 4 === 3 ? 255 : i * 10)),
};
const tags = {
  architecture: 'lemon',
  modelId: 'lemon-1',
  prompt: 'a cat',
  seed: 42,
  settings: { resolution: '1K', nested: { a: 1 } },
};

/** Returns the type and text of each text chunk by keyword, parsed according to the PNG specification. */
function textChunks(png: Buffer): Record<string, { type: string; text: string }> {
  const found: Record<string, { type: string; text: string }> = {};
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    const end = body.indexOf(0);
    const keyword = body.toString('latin1', 0, end);
    if (type === 'tEXt') found[keyword] = { type, text: body.toString('latin1', end + 1) };
    if (type === 'iTXt') found[keyword] = { type, text: body.toString('utf8', end + 5) };
    at += length + 12;
  }
  return found;
}

test('the pixels are kept and the size is exact', async () => {
  const { data, info } = await sharp(await encodeImage(picture, tags))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([3, 2, 3]);
  expect([...data.subarray(0, 6)]).toEqual([0, 10, 20, 40, 50, 60]);
});

test('the prompt, the seed and the settings are stored as text chunks', async () => {
  const chunks = textChunks(await encodeImage(picture, tags));
  expect(JSON.parse(chunks.pomona!.text)).toEqual({
    generator: 'Pomona',
    architecture: 'lemon',
    model_id: 'lemon-1',
    seed: 42,
    prompt: 'a cat',
    settings: { resolution: '1K', nested: { a: 1 } },
  });
  expect(chunks.parameters).toEqual({ type: 'tEXt', text: 'a cat\nSeed: 42, Model: lemon-1, resolution: 1K' });
  expect(chunks.Description!.text).toBe('a cat');
});

test('non-ASCII text is stored as UTF-8 in iTXt, and a NUL does not truncate it', async () => {
  const chunks = textChunks(await encodeImage(picture, { ...tags, prompt: 'кот\0 🐈' }));
  expect(chunks.Description).toEqual({ type: 'iTXt', text: 'кот 🐈' });
  expect(JSON.parse(chunks.pomona!.text).prompt).toBe('кот\0 🐈');
});

test('every chunk has a valid checksum, so that a strict decoder reads the file', async () => {
  await expect(
    sharp(await encodeImage(picture, { ...tags, prompt: '長い '.repeat(900) }), { failOn: 'warning' }).stats(),
  ).resolves.toBeDefined();
});

test.each(['a page, <html>', '<svg > with a <script', '#EXTM3U, %PDF-'])(
  'an image with the prompt %j is still detected as a PNG',
  async prompt => {
    expect(sniffType(await encodeImage(picture, { ...tags, prompt }))).toBe('image/png');
  },
);
