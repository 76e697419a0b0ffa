import sharp, { type Metadata, type Sharp } from 'sharp';
import type { MediaFacts } from '#lib/media/media-facts';
import { UnusableMedia } from '#lib/media/unusable-media';
import type { MediaType } from '#lib/storage/media-types';

export const MAX_SIDE = 8192;
const MAX_PIXELS = 40_000_000;

/** Opens a JPEG or PNG and nothing else; pixels are counted before they are decoded. */
export function openImage(path: string): Sharp {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: ['VipsForeignLoadJpegFile', 'VipsForeignLoadPngFile'] });
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true });
}

/** Decodes a picture to its last line. Called in the process for hostile files. */
export async function probeImage(path: string, contentType: MediaType): Promise<MediaFacts> {
  const facts = await readImage(path, contentType);
  try {
    await openImage(path).stats();
  } catch (cause) {
    throw new UnusableMedia('The image is damaged or cut off.', { cause });
  }
  return facts;
}

async function readImage(path: string, contentType: MediaType): Promise<MediaFacts> {
  let found: Metadata;
  try {
    found = await openImage(path).metadata();
  } catch (cause) {
    const large = cause instanceof Error && cause.message.includes('pixel limit');
    throw new UnusableMedia(large ? tooLarge : 'The image cannot be decoded; it is damaged or not a JPEG or PNG.', {
      cause,
    });
  }
  if (`image/${found.format}` !== contentType) throw new UnusableMedia('The image is not a JPEG or PNG.');
  const { width, height } = found.autoOrient;
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) throw new UnusableMedia(tooLarge);
  const hasMetadata = Boolean(found.exif || found.xmp || found.iptc || (found.orientation ?? 1) > 1);
  return { contentType, width, height, duration: null, hasAudio: false, hasMetadata };
}

const tooLarge = `The image is too large; a side may have at most ${MAX_SIDE} pixels, the whole at most ${MAX_PIXELS / 1e6} million.`;
