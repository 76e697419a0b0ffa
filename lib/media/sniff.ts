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

/**
 * The type that the first bytes of a file show. Null for everything that is not taken, whatever its name says. Markup in a comment
 * or a prompt makes no page of a picture: it is decoded, and shown, as what its signature says and nothing else.
 */
export function sniffType(head: Uint8Array): MediaType | null {
  return signatureOf(Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1'));
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
