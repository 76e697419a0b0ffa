import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  Conversion,
  Input,
  Output,
  Mp4OutputFormat,
  WavOutputFormat,
  FlacOutputFormat,
} from 'mediabunny';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openImage } from '#lib/media/probe-image';
import { encodeImage } from '#lib/media/encode-image';
import { finishOutput } from '#lib/media/finish-output';
import { encodeStill, muxVp8 } from '#lib/media/hostile-test-media';
import { makeAv, makeImage, makeWav } from '#lib/media/media-test-files';
import type { MediaKind } from '#lib/media-kind';

const TAGS = { architecture: 'mine', modelId: 'mine-1', prompt: 'a fox – at dusk', seed: 7, settings: { steps: 9 } };
const SECRET = 'the whole workflow';
let dir: string;
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'finish-'))));
afterAll(() => rm(dir, { recursive: true }));

let count = 0;
async function finish(bytes: Uint8Array, kind: MediaKind, seconds = 0) {
  const [path, to] = [join(dir, `${++count}.raw`), join(dir, `${count}.out`)];
  await writeFile(path, bytes);
  const facts = await finishOutput({ path, to, kind, tags: TAGS, sound: { seconds, sampleRate: 44_100 } });
  return { facts, file: await readFile(to), to };
}

/** Returns a video or audio file rewrapped in another container, with tags of its own. */
async function rewrapped(bytes: Buffer, format: 'mp4' | 'wav' | 'flac'): Promise<Buffer> {
  const target = new BufferTarget();
  const formats = {
    mp4: new Mp4OutputFormat({ metadataFormat: 'mdta' }),
    wav: new WavOutputFormat(),
    flac: new FlacOutputFormat(),
  };
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const output = new Output({ format: formats[format], target });
  const conversion = await Conversion.init({
    input,
    output,
    tags: { title: SECRET, raw: format === 'mp4' ? { prompt: SECRET } : {} },
    showWarnings: false,
  });
  await conversion.execute();
  input.dispose();
  return Buffer.from(target.buffer!);
}

const packets = async (file: Buffer, kind: 'video' | 'audio') => {
  using input = new Input({ source: new BufferSource(file), formats: ALL_FORMATS });
  const track = kind === 'video' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack();
  return track && { codec: await track.getCodec(), ...(await track.computePacketStats()) };
};

test('an image keeps its pixels, also transparent ones, and loses its metadata', async () => {
  const alpha = await makeImage(40, 30).ensureAlpha(0.5).png().toBuffer();
  const { width, height } = await sharp(alpha).metadata();
  const raw = await sharp(alpha).raw().toBuffer();
  const carried = await encodeImage({ data: raw, width, height, channels: 4 }, { ...TAGS, prompt: SECRET });
  expect(carried.includes(SECRET)).toBe(true);
  const { facts, file } = await finish(carried, 'image');
  expect(facts).toMatchObject({ contentType: 'image/png', width: 40, height: 30 });
  expect(file.includes(SECRET)).toBe(false);
  expect(file.includes('{"generator":"Pomona"')).toBe(true);
  const { to } = await finish(alpha, 'image');
  expect(raw.equals(await openImage(to).raw().toBuffer())).toBe(true);
});

test('an RGB PNG is not re-encoded, and data after its pixels is removed', async () => {
  const chunks = (png: Buffer) => png.subarray(png.indexOf('IDAT') - 4, png.indexOf('IEND') + 8);
  const png = await makeImage(64, 48).png({ compressionLevel: 1 }).toBuffer();
  expect(png.includes('pHYs')).toBe(true);
  const { facts, file } = await finish(Buffer.concat([png, Buffer.from(SECRET)]), 'image');
  expect(facts).toMatchObject({ contentType: 'image/png', width: 64, height: 48 });
  expect(chunks(file).equals(chunks(png))).toBe(true);
  expect(file.includes(SECRET)).toBe(false);
  expect(file.includes('pHYs')).toBe(false);
});

test.each([
  ['of 16 bits', () => makeImage(64, 48).toColourspace('rgb16').png()],
  ['with a palette', () => makeImage(64, 48).png({ palette: true })],
  ['in grey', () => makeImage(64, 48).greyscale().toColourspace('b-w').png()],
  ['with a profile', () => makeImage(64, 48).withIccProfile('p3').png()],
  ['turned', () => makeImage(48, 64).withMetadata({ orientation: 6 }).png()],
])('a PNG %s is converted to plain RGB', async (_, make) => {
  const { facts, to } = await finish(await make().toBuffer(), 'image');
  expect(facts).toMatchObject({ width: 64, height: 48 });
  const plain = { space: 'srgb', depth: 'uchar', channels: 3, isPalette: false };
  expect(await openImage(to).metadata()).toMatchObject(plain);
  expect(await openImage(to).metadata()).not.toHaveProperty('icc');
});

test.each(['webp', 'jpeg', 'avif', 'gif'] as const)('an image in %s format becomes a PNG', async format => {
  const exif = { IFD0: { ImageDescription: SECRET } };
  const { facts, file, to } = await finish(await makeImage(64, 48).withExif(exif).toFormat(format).toBuffer(), 'image');
  expect(facts).toMatchObject({ contentType: 'image/png', width: 64, height: 48 });
  expect(await openImage(to).metadata()).toMatchObject({ format: 'png', width: 64 });
  expect(file.includes(SECRET)).toBe(false);
});

test('a suitable video is not re-encoded, but loses its tags', async () => {
  const film = await rewrapped(await makeAv('mp4'), 'mp4');
  expect(film.includes(SECRET)).toBe(true);
  const { facts, file } = await finish(film, 'video');
  expect(facts).toMatchObject({
    contentType: 'video/mp4',
    width: 64,
    height: 48,
    hasAudio: true,
    duration: expect.closeTo(1, 0),
  });
  expect(file.includes(SECRET)).toBe(false);
  expect(file.includes('{"generator":"Pomona"')).toBe(true);
  // the index is in front, so that the video plays while it is still loading
  expect(file.indexOf('moov')).toBeLessThan(file.indexOf('mdat'));
  const [before, after] = [await packets(film, 'video'), await packets(file, 'video')];
  expect(after).toEqual(before);
});

test('a video in other codecs is converted to H.264 and AAC', async () => {
  const { facts, file } = await finish(await makeAv('webm'), 'video');
  expect(facts).toMatchObject({ contentType: 'video/mp4', width: 64, height: 48, hasAudio: true });
  expect([(await packets(file, 'video'))?.codec, (await packets(file, 'audio'))?.codec]).toEqual(['avc', 'aac']);
});

test('a video in the Extended profile of H.264, which browsers do not play, is re-encoded', async () => {
  const film = await makeAv('mp4');
  const profile = (file: Buffer) => file.indexOf('avcC') + 5;
  film[profile(film)] = 0x58;
  const { file } = await finish(film, 'video');
  expect(file[profile(file)]).not.toBe(0x58);
});

test.each(['mp3', 'wav', 'flac'] as const)('audio in %s format becomes an MP3 of the same length', async format => {
  const wav = makeWav(2);
  const sound =
    format === 'mp3' ? await makeAv('mp3', { videos: 0 }) : format === 'wav' ? wav : await rewrapped(wav, 'flac');
  const { facts, file } = await finish(sound, 'audio');
  expect(facts).toMatchObject({
    contentType: 'audio/mpeg',
    width: null,
    duration: expect.closeTo(format === 'mp3' ? 1 : 2, 0),
  });
  expect(file.includes('{"generator":"Pomona"')).toBe(true);
});

test.each([
  ['cut', 5],
  ['gone on with in silence', 1],
])('audio of another length is brought to the requested one: %s', async (_what, made) => {
  const { facts, file } = await finish(makeWav(made), 'audio', 3);
  expect(facts).toMatchObject({ contentType: 'audio/mpeg', duration: 3 });
  expect((await packets(file, 'audio'))?.packetCount).toBe(Math.ceil((3 * 44_100) / 1152) + 1);
  expect(file.includes(Buffer.from('{"generator":"Pomona"', 'utf16le'))).toBe(true);
});

test('audio of the requested length is not re-encoded', async () => {
  const mp3 = await makeAv('mp3', { videos: 0 });
  const [as, asked] = [await finish(mp3, 'audio'), await finish(mp3, 'audio', 1)];
  expect(asked.file.equals(as.file)).toBe(true);
});

test('audio at a sample rate that MP3 lacks still becomes an MP3', async () => {
  expect((await finish(makeWav(1, { rate: 96_000 }), 'audio')).facts).toMatchObject({ contentType: 'audio/mpeg' });
});

test.each<[string, MediaKind, () => Promise<Uint8Array> | Uint8Array]>([
  ['a picture', 'video', () => makeImage(64, 48).png().toBuffer()],
  ['a picture', 'audio', () => makeImage(64, 48).png().toBuffer()],
  ['a film', 'image', () => makeAv('mp4')],
  ['a film without sound', 'audio', () => makeAv('mp4', { sounds: 0 })],
  ['a sound', 'video', () => makeWav(1)],
  ['a page', 'image', () => Buffer.from('<html>'.repeat(100))],
  ['a page', 'video', () => Buffer.from('<html>'.repeat(100))],
  ['nothing', 'image', () => Buffer.alloc(0)],
  ['half a picture', 'image', async () => (await makeImage(400, 300).png().toBuffer()).subarray(0, 9_000)],
  ['half a film', 'video', async () => (await makeAv('mp4')).subarray(0, 2_000)],
])('%s is refused as %s output', async (_, kind, bytes) => {
  await expect(finish(await bytes(), kind)).rejects.toMatchObject({ name: 'UnusableMedia' });
});

test.each([
  ['a side too long', 16_400, 8],
  ['too many pixels', 10_001, 10_000],
])('an image with %s is refused as too large', async (_, width, height) => {
  const made = sharp({ create: { width, height, channels: 3, background: '#345' } });
  await expect(finish(await made.png().toBuffer(), 'image')).rejects.toMatchObject({
    message: expect.stringContaining('too large'),
  });
});

test('a video with too many frames per second is refused without being encoded', async () => {
  const [key, still] = encodeStill(64, 48) as [Buffer, Buffer];
  const flood = await muxVp8([key, ...Array.from({ length: 999 }, () => still)], 1000, [64, 48]);
  await expect(finish(flood, 'video')).rejects.toMatchObject({ message: expect.stringContaining('frames a second') });
  expect(existsSync(join(dir, `${count}.out`))).toBe(false);
});

test('hours of audio are read only up to the requested length', { timeout: 20_000 }, async () => {
  const { facts } = await finish(makeWav(44_100, { rate: 1 }), 'audio', 3);
  expect(facts).toMatchObject({ duration: 3 });
});
