import sharp, { type Metadata, type Sharp } from 'sharp';
import type { MediaFacts } from '#lib/media/media-facts';
import { holdsMore } from '#lib/media/more-pictures';
import { UnusableMedia } from '#lib/media/unusable-media';
import type { MediaType } from '#lib/storage/media-types';

const MAX_SIDE = 16_384;
const MAX_PIXELS = 100_000_000;
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map(name => `VipsForeignLoad${name}File`);

/** The types that engines and entities get; the others are turned into one of them. */
const KEPT = new Set<MediaType>(['image/jpeg', 'image/png']);

/** Opens a picture of the types that are taken and nothing else, its first frame; pixels are counted before they are decoded. */
export function openImage(path: string): Sharp {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true });
}

/** Reads a picture to its end. Called in the process for hostile files. */
export async function probeImage(path: string, contentType: MediaType): Promise<MediaFacts> {
  const facts = await readImage(path, contentType);
  try {
    await decodeWhole(path);
  } catch (cause) {
    throw refusalOf(cause);
  }
  return facts;
}

/** Decodes a picture line by line to the last one, and keeps no more than a pixel of each. */
export async function decodeWhole(path: string): Promise<void> {
  const { height } = await openImage(path).metadata();
  await openImage(path).resize({ width: 1, height, fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
}

/** Reads the head of a picture. */
export async function readImage(path: string, contentType: MediaType): Promise<MediaFacts> {
  let found: Metadata;
  try {
    found = await openImage(path).metadata();
  } catch (cause) {
    throw refusalOf(cause);
  }
  // AVIF is AV1 in a HEIF container; what `compression` says is read off the brand, which may be the container's
  const format = found.format === 'heif' ? 'avif' : found.format;
  if (`image/${format}` !== contentType) throw new UnusableMedia(`The image is not the ${contentType} that it seems.`);
  const { width, height } = found.autoOrient;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) throw tooLarge();
  const hasMetadata = Boolean(found.exif || found.xmp || found.iptc || (found.orientation ?? 1) > 1);
  const isRaw = hasMetadata || !KEPT.has(contentType) || (await holdsMore(path, contentType));
  return { contentType, width, height, duration: null, hasAudio: false, isRaw };
}

/** The refusal of a picture that libvips gave up on, or that was refused before. */
export function refusalOf(cause: unknown): UnusableMedia {
  if (cause instanceof UnusableMedia) return cause;
  const isTooLarge = cause instanceof Error && cause.message.includes('pixel limit');
  return isTooLarge ? tooLarge() : new UnusableMedia('The image is damaged or cut off.', { cause });
}

const tooLarge = () =>
  new UnusableMedia(
    `The image is too large; a side may have at most ${MAX_SIDE} pixels, the whole at most ${MAX_PIXELS / 1e6} million.`,
  );
