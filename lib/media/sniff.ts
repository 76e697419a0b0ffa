import { UnusableMedia } from '#lib/media/unusable-media';
import type { MediaType } from '#lib/storage/media-types';

/** Bytes that `sniffType` wants to see of a file, when it has as many. */
export const SNIFF_BYTES = 4096;

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR';
const RIFF: Record<string, MediaType> = { WAVE: 'audio/wav', WEBP: 'image/webp' };
const MP4_BRANDS = /^(isom|iso[2-9]|mp4[12]|avc1|dash|MSNV|M4V[ HP]|3gp[4-7]|mp71|f4v )/;
const AVIF_BRANDS = /^avi[fs]/;
/** Sound and HEIC, which may name films, too, as what they can be read as. */
const OTHER_BRANDS = /^(M4[ABP] |F4[AB] |he[iv][cmsx])/;

/** Something that a browser or a reader could take for a document, inside the head of a picture or a film. */
const DOCUMENT = /%PDF-|<!doctype|<html|<script|<svg[\s>]|<\?php|#EXTM3U|<MPD[\s>]/i;

/** The type that the first bytes of a file show. Null for everything that is not taken, whatever its name says. */
export function sniffType(head: Uint8Array): MediaType | null {
  const bytes = Buffer.from(head.subarray(0, SNIFF_BYTES));
  const type = signatureOf(bytes.toString('latin1'));
  if (!type) return null;
  for (const [from, to] of wordsIn(bytes, type)) bytes.fill(0, from, Math.min(to, bytes.length));
  return DOCUMENT.test(bytes.toString('latin1')) ? null : type;
}

/** The same of what is encoded anew before anybody else sees it. */
export const typeBySignature = (head: Uint8Array): MediaType | null =>
  signatureOf(Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1'));

/** Where results say what was asked for, which may be a page: text chunks of a PNG, the tag of an MP3, the user's data of an MP4. */
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

/** The type that the first bytes show; `UnusableMedia` where that is none. */
export function sniffed(head: Uint8Array): MediaType {
  const type = sniffType(head);
  if (type) return type;
  throw new UnusableMedia(
    head.length ? 'The file is not a JPEG, PNG, WebP, AVIF, GIF, MP4, MOV, WebM, MP3 or WAV.' : 'The file is empty.',
  );
}

function signatureOf(text: string): MediaType | null {
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith(PNG)) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (text.startsWith('RIFF')) return RIFF[text.slice(8, 12)] ?? null;
  if (text.startsWith('\x1a\x45\xdf\xa3')) return /\x42\x82.{1,8}?webm/s.test(text.slice(0, 64)) ? 'video/webm' : null;
  const box = text.slice(4, 8);
  if (box === 'ftyp') return typeOfBrands(brandsOf(text));
  // QuickTime before it had ftyp
  if (/^(moov|mdat|wide)$/.test(box)) return 'video/quicktime';
  return isMp3(text) ? 'audio/mpeg' : null;
}

/** The brand of a file, and those that it can be read as. Between the two stands a version. */
function brandsOf(text: string): string[] {
  const length = Buffer.from(text.slice(0, 4), 'latin1').readUInt32BE();
  return [text.slice(8, 12), ...(text.slice(16, length).match(/.{4}/gs) ?? [])];
}

/** Cameras and containers put a brand of their own in front. */
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
  // what follows a long tag is seen when the file is decoded
  if (/^ID3[\x02-\x04][\0-\xfe]/.test(text)) return true;
  const length = frameLength(text, 0);
  return length !== null && (text.length <= length + 3 || frameLength(text, length) !== null);
}

const KILOBITS = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const HERTZ = [44_100, 48_000, 32_000];

/** Length of the MPEG layer III frame whose header stands at `at`. */
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
