import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { makeMovingPng } from '#lib/media/hostile-test-media';
import { inspectMedia, normalizeClip, normalizeImage } from '#lib/media/inspect-media';
import { makeAv, makeImage, makeWav } from '#lib/media/media-test-files';
import { sniffType } from '#lib/media/sniff';

process.env.LOG_LEVEL = 'silent';
const folder = mkdtempSync(join(tmpdir(), 'pomona-inspect-'));
let files = 0;
const place = () => join(folder, `file-${files++}`);
const save = async (bytes: Uint8Array) => {
  const path = place();
  await writeFile(path, bytes);
  return path;
};
const inspect = async (bytes: Uint8Array) => inspectMedia(await save(bytes));

const png = await makeImage(64, 48).png().toBuffer();
const jpeg = await makeImage(64, 48).jpeg().toBuffer();
const webp = await makeImage(64, 48).webp().toBuffer();
const avif = await makeImage(64, 48).avif().toBuffer();
const gif = await makeImage(64, 48).gif().toBuffer();
const mp4 = await makeAv('mp4');
const mov = await makeAv('mov');
const webm = await makeAv('webm');
const mp3 = await makeAv('mp3', { videos: 0 });
const wav = makeWav(1);

const latin = (text: string) => Buffer.from(text, 'latin1');
const join2 = (...parts: (Uint8Array | string)[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'string' ? latin(part) : part)));
const cut = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share));
const poke = (bytes: Buffer, at: number, ...values: number[]) => {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
};
function chunk(type: string, data: Uint8Array): Buffer {
  const body = join2(type, data);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
/** Returns a PNG whose header claims a size. Its pixel data are `zeros` zero bytes, deflated at the highest level. */
function claim(width: number, height: number, zeros: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(zeros), { level: 9 });
  return join2('\x89PNG\r\n\x1a\n', chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0)));
}
const box = (type: string, data: Uint8Array | string = '') => {
  const body = typeof data === 'string' ? latin(data) : data;
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length + 8);
  return join2(head, type, body);
};
const worded = (bytes: Buffer, words: string) =>
  join2(bytes.subarray(0, 33), chunk('tEXt', latin(words)), bytes.subarray(33));
const sofAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
const [text, html, svg] = [
  'hello world',
  '<!DOCTYPE html><html><script>alert(1)</script>',
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
];
const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nfile:///etc/passwd\n';
const ftyp = (brand: string) => box('ftyp', `${brand}\0\0\x02\0${brand}`);
/** Returns the MP4 with its major brand and its compatible brands replaced, without a change of length. */
const branded = (brand: string, others: string) => {
  const copy = Buffer.from(mp4);
  copy.write(brand, 8, 'latin1');
  copy.write(others.padEnd(copy.readUInt32BE(0) - 16, brand), 16, 'latin1');
  return copy;
};
const generic = Buffer.from(avif);
generic.write('mif1', 8, 'latin1');

/** Files of other kinds, recognised by their first bytes. */
const otherKinds: [string, Uint8Array | string][] = [
  ['nothing', ''],
  ['one byte', '\xff'],
  ['zeros', '\0'.repeat(5000)],
  ['text', text],
  ['HTML', html],
  ['HTML behind a byte order mark', `\xef\xbb\xbf${html}`],
  ['HTML behind spaces', `\n\n   ${html}`],
  ['SVG', svg],
  ['SVG behind an XML declaration', `<?xml version="1.0"?>${svg}`],
  ['SVG, zipped', gzipSync(svg)],
  ['XML', '<?xml version="1.0"?><a/>'],
  ['JSON', '{"a":1}'],
  ['PHP', '<?php system($_GET[1]);'],
  ['a shell script', '#!/bin/sh\nrm -rf /\n'],
  ['a HLS playlist', playlist],
  ['a HLS playlist behind a byte order mark', `\xef\xbb\xbf${playlist}`],
  ['a DASH manifest', '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"/>'],
  ['a concat script', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
  ['a session description', 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\n'],
  ['a playlist in PLS', '[playlist]\nFile1=/etc/passwd\n'],
  ['a GIF of another year', 'GIF88a\x01\0\x01\0\0\0\0;'],
  ['a WebP with a page inside', join2((await makeImage(8, 8).webp().toBuffer()).subarray(0, 40), html)],
  ['a GIF with a program inside', join2('GIF89a\x01\0\x01\0\0\0\0', '<?php system($_GET[1]);')],
  ['TIFF', await makeImage(8, 8).tiff().toBuffer()],
  ['BMP', 'BM\x3a\0\0\0\0\0\0\0'],
  ['an icon', '\0\0\x01\0\x01\0\x10\x10'],
  ['HEIC', join2(ftyp('heic'), box('meta'))],
  ['HEIC under the name of its container', join2(box('ftyp', 'mif1\0\0\0\0mif1heic'), box('meta'))],
  ['a burst in HEIC', join2(box('ftyp', 'msf1\0\0\0\0msf1hevciso8'), box('moov'))],
  ['JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n'],
  ['JPEG XL', '\0\0\0\x0cJXL \r\n\x87\n'],
  ['PSD', '8BPS\0\x01'],
  ['PDF', '%PDF-1.7\n'],
  ['PostScript', '%!PS-Adobe-3.0 EPSF-3.0\n'],
  ['ZIP', 'PK\x03\x04\x14\0'],
  ['gzip', gzipSync('a')],
  ['7z', '7z\xbc\xaf\x27\x1c'],
  ['a program for Linux', '\x7fELF\x02\x01\x01'],
  ['a program for Windows', 'MZ\x90\0\x03'],
  ['WebAssembly', '\0asm\x01\0\0\0'],
  ['Flash', 'CWS\x0a\0\0\0\0'],
  ['Ogg', 'OggS\0\x02\0\0'],
  ['FLAC', 'fLaC\0\0\0\x22'],
  ['AAC', '\xff\xf1\x50\x80\x02\x1f\xfc'.repeat(50)],
  ['MPEG layer II', '\xff\xfd\x84\0'.repeat(100)],
  ['MIDI', 'MThd\0\0\0\x06'],
  ['AIFF', 'FORM\0\0\0\0AIFF'],
  ['AMR', '#!AMR\n'],
  ['AVI', 'RIFF\0\0\0\0AVI LIST'],
  ['M4A', join2(ftyp('M4A '), box('moov'))],
  ['M4A of the brands of films', join2(box('ftyp', 'M4A \0\0\0\0M4A mp42isom'), box('moov'))],
  ['a container of a brand that nobody knows', join2(box('ftyp', 'none\0\0\0\0none'), box('moov', 'isomisom'))],
  ['Matroska', join2('\x1a\x45\xdf\xa3\x8b\x42\x82\x88matroska', Buffer.alloc(100))],
  ['FLV', 'FLV\x01\x05\0\0\0\x09'],
  ['MPEG-TS', `G@\0\x10${'\xff'.repeat(184)}`.repeat(5)],
  ['MPEG-PS', '\0\0\x01\xba\x44\0\x04'],
  ['WMV', '\x30\x26\xb2\x75\x8e\x66\xcf\x11'],
  ['half a PNG signature', '\x89PNG\r\n'],
  ['a PNG that starts with another chunk', join2('\x89PNG\r\n\x1a\n', chunk('tEXt', latin('a')))],
  ['a JPEG with a page in its comment', join2('\xff\xd8\xff\xfe\0\x60', html, jpeg.subarray(2))],
  [
    'a PNG with a program in what is no text',
    join2(png.subarray(0, 33), chunk('zzZz', latin(`a\0<?php ${text}`)), png.subarray(33)),
  ],
  ['a PNG with a drawing behind its text', join2(worded(png, 'a\0b').subarray(0, 48), svg, png.subarray(33))],
  ['a JPEG that is a PDF too', join2('\xff\xd8\xff\xfe\0\x20%PDF-1.4', jpeg.subarray(2))],
  ['an MP4 with a playlist in front of its film', join2(ftyp('isom'), box('free', playlist), mp4.subarray(32))],
  [
    'a WAV with a page in front of its sound',
    join2(wav.subarray(0, 12), `LIST\x40\0\0\0${html.padEnd(64)}`, wav.subarray(12)),
  ],
];

test.each(otherKinds)('refused by type detection: %s', async (_, bytes) => {
  const content = typeof bytes === 'string' ? latin(bytes) : bytes;
  expect(sniffType(content)).toBeNull();
  await expect(inspect(content)).rejects.toMatchObject({
    name: 'UnusableMedia',
    message: expect.stringMatching(/not a JPEG|empty/),
  });
});

/** Files that begin like a supported type. */
const damaged: [string, Uint8Array][] = [
  ['a PNG that claims 900 million pixels', claim(30_000, 30_000, 1000)],
  ['a PNG that claims the most pixels there are', claim(0x7fffffff, 0x7fffffff, 1000)],
  ['a PNG one pixel too wide', claim(16_385, 1, 16_385 * 3 + 1)],
  ['a PNG of too many pixels', claim(10_001, 10_000, 1000)],
  ['a PNG that unpacks to 300 MB', claim(6400, 6300, 300_000_000).subarray(0, 200_000)],
  ['a PNG of no size', claim(0, 0, 10)],
  ['a PNG cut in half', cut(png, 0.5)],
  ['a PNG without its end', cut(png, 0.9)],
  ['a PNG with damaged pixels', poke(png, 200, 0, 0, 0, 0, 0, 0, 0, 0)],
  ['a PNG that is all header', png.subarray(0, 33)],
  ['a PNG that is a JPEG inside', join2(png.subarray(0, 33), jpeg)],
  ['a WebP cut in half', cut(webp, 0.5)],
  [
    'a WebP that claims 16383 by 16383',
    poke(webp, webp.indexOf('\x9d\x01\x2a', 0, 'latin1') + 3, 0xff, 0x3f, 0xff, 0x3f),
  ],
  ['an AVIF cut in half', cut(avif, 0.5)],
  ['an AVIF that is all type', join2(ftyp('avif'), box('meta'))],
  ['a HEIC under the name of AVIF', join2(ftyp('avif'), box('mdat', text))],
  ['a GIF cut in half', cut(gif, 0.5)],
  ['a GIF that claims 65535 by 65535', poke(gif, gif.indexOf(',\0\0\0\0@\0', 0, 'latin1') + 5, 255, 255, 255, 255)],
  ['a GIF without a picture', latin('GIF89a\x01\0\x01\0\0\0\0;')],
  ['a JPEG cut in half', cut(jpeg, 0.5)],
  ['a JPEG that is all start', jpeg.subarray(0, 4)],
  ['a JPEG that claims 65535 by 65535', poke(jpeg, sofAt + 5, 0xff, 0xff, 0xff, 0xff)],
  ['a JPEG of no size', poke(jpeg, sofAt + 5, 0, 0, 0, 0)],
  ['a JPEG that is a PNG inside', join2('\xff\xd8\xff', png)],
  ['a JPEG that is text', latin(`\xff\xd8\xff${text.repeat(100)}`)],
  ['an MP4 that is all type', ftyp('isom')],
  ['an MP4 without its index', join2(ftyp('isom'), box('mdat', text.repeat(1000)))],
  ['an MP4 with an empty index', join2(ftyp('isom'), box('moov'), box('mdat', text))],
  ['an MP4 with noise for an index', join2(ftyp('isom'), box('moov', Buffer.alloc(5000, 0xa5)))],
  ['an MP4 with a box that has no end', join2(ftyp('isom'), '\xff\xff\xff\xffmoov', Buffer.alloc(500))],
  [
    'an MP4 of boxes in boxes',
    Array.from({ length: 3000 })
      .reduce<Buffer>(inner => box('moov', inner), Buffer.alloc(0))
      .subarray(0),
  ],
  ['an MP4 cut in half', cut(mp4, 0.5)],
  ['an MP4 without its end', cut(mp4, 0.95)],
  ['an MP4 with more tracks than are taken', await makeAv('mp4', { videos: 1, sounds: 9 })],
  ['an MP4 without pictures', await makeAv('mp4', { videos: 0 })],
  ['a QuickTime file that is text', latin(`\0\0\0\x08wide${text.repeat(100)}`)],
  ['a MOV cut in half', cut(mov, 0.5)],
  ['a WebM that is all header', webm.subarray(0, 60)],
  ['a WebM cut in its first block', webm.subarray(0, 400)],
  ['a WebM of noise', join2(webm.subarray(0, 60), Buffer.alloc(5000, 0xa5))],
  ['a WebM without pictures', await makeAv('webm', { videos: 0 })],
  ['a WAV that is all header', wav.subarray(0, 44)],
  ['a WAV of no rate', poke(wav, 24, 0, 0, 0, 0)],
  ['a WAV of no channels', poke(wav, 22, 0, 0)],
  ['a WAV in a codec nobody knows', poke(wav, 20, 0x99, 0x99)],
  ['a WAV without a format', join2(wav.subarray(0, 12), wav.subarray(36))],
  ['an MP3 that is all tag', latin('ID3\x03\0\0\0\0\0\x0a0123456789')],
  ['a tag with a tag that never ends', latin(`ID3\x04\0\0\x7f\x7f\x7f\x7f${text.repeat(100)}`)],
  ['a tag in front of a picture', join2('ID3\x03\0\0\0\0\0\x0a0123456789', png)],
  ['a tag in front of a film', join2('ID3\x03\0\0\0\0\0\x0a0123456789', mp4)],
];

test('the table of hostile files has at least 60 entries', () => {
  expect(otherKinds.length + damaged.length).toBeGreaterThanOrEqual(60);
});

test.each(damaged)('refused by decoding: %s', { timeout: 40_000 }, async (_, bytes) => {
  await expect(inspect(bytes)).rejects.toMatchObject({ name: 'UnusableMedia' });
});

test.each([
  ['PNG', png, { contentType: 'image/png', width: 64, height: 48, duration: null, hasAudio: false, isRaw: false }],
  ['JPEG', jpeg, { contentType: 'image/jpeg', width: 64, height: 48, isRaw: false }],
  ['WebP', webp, { contentType: 'image/webp', width: 64, height: 48, isRaw: true }],
  ['AVIF', avif, { contentType: 'image/avif', width: 64, height: 48, isRaw: true }],
  ['GIF', gif, { contentType: 'image/gif', width: 64, height: 48, isRaw: true }],
  ['MP4', mp4, { contentType: 'video/mp4', width: 64, height: 48, hasAudio: true }],
  ['a silent MP4', await makeAv('mp4', { sounds: 0 }), { contentType: 'video/mp4', duration: 1, hasAudio: false }],
  ['MOV', mov, { contentType: 'video/quicktime', width: 64, height: 48, hasAudio: true }],
  ['WebM', webm, { contentType: 'video/webm', width: 64, height: 48, hasAudio: true }],
  ['MP3', mp3, { contentType: 'audio/mpeg', width: null, height: null, hasAudio: true }],
  ['WAV', wav, { contentType: 'audio/wav', duration: 1, hasAudio: true }],
  ['an MP4 of a camera', branded('XAVC', 'XAVCmp42iso2'), { contentType: 'video/mp4', width: 64, hasAudio: true }],
  ['an MP4 made for CMAF', branded('cmfc', 'iso6cmfc'), { contentType: 'video/mp4', width: 64, hasAudio: true }],
  ['an AVIF under the name of its container', generic, { contentType: 'image/avif', width: 64, isRaw: true }],
])('the type and properties of %s are recognised', async (_, bytes, facts) => {
  const found = await inspect(bytes);
  expect(found).toMatchObject(facts);
  if (found.duration !== null) expect(Math.abs(found.duration - 1)).toBeLessThan(0.15);
});

test('the metadata of a photo is detected and removed, and the photo is turned upright', async () => {
  const photo = await makeImage(64, 48)
    .withMetadata({ orientation: 6 })
    .withExif({
      IFD0: { Make: 'Camera', Artist: 'Somebody' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    })
    .jpeg()
    .toBuffer();
  expect(photo.includes('Somebody')).toBe(true);
  const path = await save(photo);
  expect(await inspectMedia(path)).toMatchObject({ isRaw: true });
  const to = place();
  const facts = await normalizeImage(path, to);
  const clean = await readFile(to);
  expect(clean.includes('Somebody')).toBe(false);
  expect(clean.includes('Exif')).toBe(false);
  const { exif, xmp, iptc, width, height, orientation } = await sharp(clean).metadata();
  expect([exif, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined]);
  expect(facts).toMatchObject({ contentType: 'image/jpeg', width, height, isRaw: false });
  expect(await inspectMedia(to)).toEqual(facts);
});

test.each([
  ['WebP', webp, 'image/jpeg'],
  ['AVIF', avif, 'image/jpeg'],
  ['GIF', gif, 'image/png'],
  ['WebP with holes', await makeImage(64, 48).ensureAlpha(0.5).webp().toBuffer(), 'image/png'],
  ['AVIF with holes', await makeImage(64, 48).ensureAlpha(0.5).avif().toBuffer(), 'image/png'],
])('%s is converted to a format that engines read, with the same look', async (_, bytes, contentType) => {
  const to = place();
  const facts = await normalizeImage(await save(bytes), to);
  expect(facts).toMatchObject({ contentType, width: 64, height: 48, isRaw: false });
  expect(await inspectMedia(to)).toEqual(facts);
  const [before, after] = await Promise.all([bytes, to].map(image => sharp(image).stats()));
  for (const [index, { mean }] of before!.channels.entries())
    expect(after!.channels[index]!.mean).toBeCloseTo(mean, -1);
});

test.each([
  ['a PNG with a program in its text', worded(png, `a\0<?php ${text}`), 'image/png'],
  ['a PNG with a drawing in its text', worded(png, `a\0${svg}`), 'image/png'],
])('markup in text chunks is allowed: %s keeps its type', async (_, bytes, contentType) => {
  expect(await inspect(bytes)).toMatchObject({ contentType });
});

test('only the first frame of an animated image is used', async () => {
  const frames = [
    { r: 255, g: 0, b: 0 },
    { r: 0, g: 0, b: 255 },
  ].map(background =>
    sharp({ create: { width: 20, height: 10, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const moving = sharp(await Promise.all(frames), { join: { animated: true } });
  for (const bytes of [await moving.clone().gif().toBuffer(), await moving.clone().webp().toBuffer()]) {
    const to = place();
    expect(await normalizeImage(await save(bytes), to)).toMatchObject({ width: 20, height: 10 });
    const { dominant } = await sharp(to).stats();
    expect(dominant.r).toBeGreaterThan(200);
  }
});

/** Returns the JPEG with an index of further images (MPF) added. */
const stereo = (jpeg: Buffer) => join2(jpeg.subarray(0, 2), '\xff\xe2\0\x0aMPF\0II*\0', jpeg.subarray(2));

test.each([
  ['an animated PNG', makeMovingPng(png), 'acTL'],
  ['a JPEG with an index of others', stereo(jpeg), 'MPF'],
])('only the first image of %s is kept', async (_, bytes, sign) => {
  expect(bytes.includes(sign)).toBe(true);
  const path = await save(bytes);
  expect(await inspectMedia(path)).toMatchObject({ width: 64, height: 48, isRaw: true });
  const to = place();
  const facts = await normalizeImage(path, to);
  expect(await inspectMedia(to)).toEqual(facts);
  expect((await readFile(to)).includes(sign)).toBe(false);
});

test.each(['png', 'jpeg', 'mov', 'txt'])('an audio file is recognised even if its name ends in .%s', async ending => {
  const path = `${place()}.${ending}`;
  await writeFile(path, mp3);
  expect(await inspectMedia(path)).toMatchObject({ contentType: 'audio/mpeg' });
});

test('a PNG with very many chunks before its pixels is marked for re-encoding', async () => {
  const at = png.indexOf('IDAT') - 4;
  const many = Array.from({ length: 1_000 }, () => chunk('prVt', Buffer.alloc(0)));
  expect(await inspect(join2(png.subarray(0, at), ...many, png.subarray(at)))).toMatchObject({ isRaw: true });
});

test('a rotated photo is measured upright', async () => {
  const turned = await makeImage(64, 48).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  const path = await save(turned);
  expect(await inspectMedia(path)).toMatchObject({ width: 48, height: 64, isRaw: true });
  expect(await normalizeImage(path, place())).toMatchObject({ width: 48, height: 64 });
});

test.each([
  ['quiet', 0.02],
  ['middling', 0.15],
  ['loud', 0.9],
])('a %s clip is trimmed and brought to -16 LUFS', async (_, level) => {
  const path = await save(makeWav(4, { level }));
  const to = place();
  const clip = await normalizeClip(path, to, 3);
  expect(clip.duration).toBe(3);
  const facts = await inspectMedia(to);
  expect(facts).toMatchObject({ contentType: 'audio/mpeg', hasAudio: true });
  expect(facts.duration).toBeCloseTo(3, 0);
  const again = await normalizeClip(to, place(), 3);
  expect(Math.abs(again.loudness + 16)).toBeLessThan(1);
});

test('a silent clip is refused', async () => {
  const silent = await save(makeWav(2, { level: 0 }));
  await expect(normalizeClip(silent, place(), 10)).rejects.toMatchObject({ name: 'UnusableMedia' });
});

test('a concat script does not make the decoder open another file, even without prior inspection', async () => {
  const other = await save(mp3);
  const script = `ffconcat version 1.0\nfile '${other.split('/').at(-1)}'\n`;
  const path = await save(latin(script));
  await expect(normalizeClip(path, place(), 10)).rejects.toMatchObject({ name: 'UnusableMedia' });
});
