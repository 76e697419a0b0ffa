import type { MediaFacts } from '#lib/media/media-facts';
import { openImage, refusalOf } from '#lib/media/probe-image';

/**
 * Writes a copy of a picture that is its pixels and nothing else: turned upright, in sRGB, without EXIF, position or
 * thumbnails; a PNG where colours are exact or transparent, else a JPEG. No side is longer than `maxSide`, where it is given.
 * Called in the process for hostile files.
 */
export async function reencodeImage(path: string, to: string, maxSide?: number): Promise<MediaFacts> {
  try {
    const { format, hasAlpha } = await openImage(path).metadata();
    const isPng = format === 'png' || format === 'gif' || hasAlpha;
    const whole = openImage(path).autoOrient();
    const image = maxSide ? whole.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }) : whole;
    // tables made for the picture would need all of it in memory
    const encoded = isPng
      ? image.png({ compressionLevel: 6 })
      : image.jpeg({ quality: 95, chromaSubsampling: '4:4:4', optimizeCoding: false });
    const { width, height } = await encoded.toFile(to);
    const contentType = isPng ? 'image/png' : 'image/jpeg';
    return { contentType, width, height, duration: null, hasAudio: false, isRaw: false };
  } catch (cause) {
    throw refusalOf(cause);
  }
}
