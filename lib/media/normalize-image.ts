import type { MediaFacts } from '#lib/media/media-facts';
import { openImage, refusalOf } from '#lib/media/probe-image';

/**
 * Writes a copy of an image with its pixels only: upright, in sRGB, without EXIF, location or thumbnails. A PNG, a GIF
 * or an image with transparency becomes a PNG, others a JPEG. No side exceeds `maxSide`. Called in a decoder process.
 */
export async function reencodeImage(path: string, to: string, maxSide?: number): Promise<MediaFacts> {
  try {
    const { format, hasAlpha } = await openImage(path).metadata();
    const isPng = format === 'png' || format === 'gif' || hasAlpha;
    const whole = openImage(path).autoOrient();
    const image = maxSide ? whole.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }) : whole;
    // optimised Huffman tables would need the whole image in memory
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
