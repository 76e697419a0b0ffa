import sharp, { type Metadata, type Sharp } from 'sharp';
import type { MediaFacts } from '#lib/media/media-facts';
import { holdsMore } from '#lib/media/more-pictures';
import { UnusableMedia } from '#lib/media/unusable-media';
import type { MediaType } from '#lib/storage/media-types';

const MAX_SIDE = 16_384;
const MAX_PIXELS = 100_000_000;
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map(name => `VipsForeignLoad${name}File`);

/** The image types passed to engines and entities; other types are converted to one of them. */
const KEPT = new Set<MediaType>(['image/jpeg', 'image/png']);

/** Opens the first frame of an image of a supported type. Its size is checked before any pixel is decoded. */
export function openImage(path: string): Sharp {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true });
}

/** Reads the facts of an image and decodes it completely. Throws `UnusableMedia`. Called in a decoder process. */
export async function probeImage(path: string, contentType: MediaType): Promise<MediaFacts> {
  const facts = await readImage(path, contentType);
  try {
    await decodeWhole(path);
  } catch (cause) {
    throw refusalOf(cause);
  }
  return facts;
}

/** Decodes an image completely, line by line, and keeps one pixel of each line. */
export async function decodeWhole(path: string): Promise<void> {
  const { height } = await openImage(path).metadata();
  await openImage(path).resize({ width: 1, height, fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
}

/** Reads the facts of an image from its header. */
export async function readImage(path: string, contentType: MediaType): Promise<MediaFacts> {
  let found: Metadata;
  try {
    found = await openImage(path).metadata();
  } catch (cause) {
    throw refusalOf(cause);
  }
  // AVIF is AV1 in a HEIF container; `compression` is derived from the brand, which may be that of the container
  const format = found.format === 'heif' ? 'avif' : found.format;
  if (`image/${format}` !== contentType) throw new UnusableMedia(`The image is not the ${contentType} that it seems.`);
  const { width, height } = found.autoOrient;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) throw tooLarge();
  const hasMetadata = Boolean(found.exif || found.xmp || found.iptc || (found.orientation ?? 1) > 1);
  const isRaw = hasMetadata || !KEPT.has(contentType) || (await holdsMore(path, contentType));
  return { contentType, width, height, duration: null, hasAudio: false, isRaw };
}

/** Returns the `UnusableMedia` for an error of libvips. Returns one that was already thrown unchanged. */
export function refusalOf(cause: unknown): UnusableMedia {
  if (cause instanceof UnusableMedia) return cause;
  const isTooLarge = cause instanceof Error && cause.message.includes('pixel limit');
  return isTooLarge ? tooLarge() : new UnusableMedia('The image is damaged or cut off.', { cause });
}

const tooLarge = () =>
  new UnusableMedia(
    `The image is too large; a side may have at most ${MAX_SIDE} pixels, the whole at most ${MAX_PIXELS / 1e6} million.`,
  );
