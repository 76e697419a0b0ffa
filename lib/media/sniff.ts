import type { MediaKind } from '#lib/media-kind';
import { TAKES } from '#lib/media/require-kind';
import { UnusableMedia } from '#lib/media/unusable-media';
import type { MediaType } from '#lib/storage/media-types';

/** Number of bytes that `sniffType` inspects; shorter files are passed whole. */
export const SNIFF_BYTES = 4096;

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
const RIFF: Record<string, MediaType> = { WAVE: 'audio/wav', WEBP: 'image/webp' };
const MP4_BRANDS = /^(isom|iso[2-9]|mp4[12]|avc1|dash|MSNV|M4V[ HP]|3gp[4-7]|mp71|f4v )/;
const AVIF_BRANDS = /^avi[fs]/;
/** Brands of audio and HEIC files, which may list those of MP4 videos as compatible. */
const OTHER_BRANDS = /^(M4[ABP] |F4[AB] |he[iv][cmsx])/;

/** Content at the start of a media file that a browser or another program could take for a document. */
const DOCUMENT = /%PDF-|<!doctype|<html|<script|<svg[\s>]|<\?php|#EXTM3U|<MPD[\s>]/i;

/** Returns the type of a file by its first bytes, or null when it is not supported or could be taken for a document. */
export function sniffType(head: Uint8Array): MediaType | null {
  const bytes = Buffer.from(head.subarray(0, SNIFF_BYTES));
  const type = signatureOf(bytes.toString('latin1'));
  if (!type) return null;
  for (const [from, to] of wordsIn(bytes, type)) bytes.fill(0, from, Math.min(to, bytes.length));
  return DOCUMENT.test(bytes.toString('latin1')) ? null : type;
}

/** Like `sniffType`, without the check for documents; for files that are re-encoded before they are served. */
export const typeBySignature = (head: Uint8Array): MediaType | null =>
  signatureOf(Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1'));

/** Yields the ranges of tags (PNG text, ID3, `udta` of an MP4), in which a result may quote a prompt with markup. */
function* wordsIn(head: Buffer, type: MediaType): Generator<[from: number, to: number]> {
  if (type === 'image/png')
    for (let at = 8, end; at + 8 <= head.length; at = end) {
      end = at + 12 + head.readUInt32BE(at);
      if (/^(tEXt|zTXt|iTXt)$/.test(head.toString('latin1', at + 4, at + 8))) yield [at, end];
    }
  if (type === 'audio/mpeg' && head.toString('latin1', 0, 3) === 'ID3')
    yield [0, 10 + head.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0)];
  const user = type === 'video/mp4' ? head.indexOf('udta') - 4 : -1;
  if (user >= 0) yield [user, user + head.readUInt32BE(user)];
}

/** Like `sniffType`, but throws `UnusableMedia` instead of returning null; it names the types of the `wanted` kind. */
export function sniffed(head: Uint8Array, wanted?: MediaKind): MediaType {
  const type = sniffType(head);
  if (type) return type;
  const types = wanted ? TAKES[wanted] : 'a JPEG, PNG, WebP, AVIF, GIF, MP4, MOV, WebM, MP3 or WAV';
  throw new UnusableMedia(head.length ? `The file is not ${types}.` : 'The file is empty.');
}

function signatureOf(text: string): MediaType | null {
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith(PNG)) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (text.startsWith('RIFF')) return RIFF[text.slice(8, 12)] ?? null;
  if (text.startsWith('\x1a\x45\xdf\xa3')) return /\x42\x82.{1,8}?webm/s.test(text.slice(0, 64)) ? 'video/webm' : null;
  const box = text.slice(4, 8);
  if (box === 'ftyp') return typeOfBrands(brandsOf(text));
  // old QuickTime files have no ftyp box
  if (/^(moov|mdat|wide)$/.test(box)) return 'video/quicktime';
  return isMp3(text) ? 'audio/mpeg' : null;
}

/** Returns the major brand of a file, then its compatible brands. A version number stands between them. */
function brandsOf(text: string): string[] {
  const length = Buffer.from(text.slice(0, 4), 'latin1').readUInt32BE();
  return [text.slice(8, 12), ...(text.slice(16, length).match(/.{4}/gs) ?? [])];
}

/** Returns the type of the first known brand: cameras and containers may put a brand of their own in front. */
function typeOfBrands(brands: string[]): MediaType | null {
  if (brands[0] === 'qt  ') return 'video/quicktime';
  for (const brand of brands) {
    if (OTHER_BRANDS.test(brand)) return null;
    if (AVIF_BRANDS.test(brand)) return 'image/avif';
    if (MP4_BRANDS.test(brand)) return 'video/mp4';
  }
  return null;
}

function isMp3(text: string): boolean {
  // the tag may be longer than the head; decoding checks what follows it
  if (/^ID3[\x02-\x04][\0-\xfe]/.test(text)) return true;
  const length = frameLength(text, 0);
  return length !== null && (text.length <= length + 3 || frameLength(text, length) !== null);
}

const KILOBITS = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const HERTZ = [44_100, 48_000, 32_000];

/** Returns the length of the MPEG layer III frame whose header is at `at`, or null when there is none. */
function frameLength(text: string, at: number): number | null {
  const [sync = 0, second = 0, third = 0] = [0, 1, 2].map(i => text.charCodeAt(at + i));
  const version = (second >> 3) & 3;
  if (sync !== 0xff || (second & 0xe0) !== 0xe0 || version === 1 || ((second >> 1) & 3) !== 1) return null;
  const bits = (version === 3 ? KILOBITS.mpeg1 : KILOBITS.mpeg2)[third >> 4];
  const rate = HERTZ[(third >> 2) & 3];
  if (!bits || !rate) return null;
  const hertz = rate / (version === 3 ? 1 : version === 2 ? 2 : 4);
  return Math.floor(((version === 3 ? 144 : 72) * bits * 1000) / hertz) + ((third >> 1) & 1);
}
