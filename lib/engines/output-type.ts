import type { OutputSpec } from '#lib/output-spec';
import { SNIFF_BYTES, typeBySignature } from '#lib/media/sniff';

/** Types that engines produce but that users may not upload. */
const OTHERS: [type: string, signature: RegExp][] = [
  ['audio/flac', /^fLaC/],
  ['audio/ogg', /^OggS/],
  ['audio/mp4', /^.{4}ftypM4A /s],
  ['audio/aac', /^\xff[\xf0\xf1\xf8\xf9]/],
  ['video/x-matroska', /^\x1a\x45\xdf\xa3/],
];

/** Detects the content type of an output from its first bytes; null when it is no image, video or audio file. */
export function sniffOutput(head: Uint8Array): string | null {
  const known = typeBySignature(head);
  if (known) return known;
  const text = Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1');
  return OTHERS.find(([, signature]) => signature.test(text))?.[0] ?? null;
}

/** Content types of output files, by file extension. */
export const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  flac: 'audio/flac',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  png: 'image/png',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
};

/** Returns the content type that a file name or URL suggests. */
export function typeOfName(name: string): string | undefined {
  const path = URL.parse(name, 'http://x')?.pathname ?? '';
  return TYPES_BY_EXTENSION[/\.(\w{2,4})$/.exec(path)?.[1]?.toLowerCase() ?? ''];
}

/** Content types assumed when an engine does not state one. */
export const USUAL_TYPES: Record<OutputSpec['type'], string> = {
  image: 'image/png',
  video: 'video/mp4',
  audio: 'audio/mpeg',
};
