import type { MediaFacts } from '#lib/media/media-facts';
import { openImage } from '#lib/media/probe-image';
import { UnusableMedia } from '#lib/media/unusable-media';

/**
 * Writes a copy of a JPEG or PNG that is its pixels and nothing else: turned upright, in sRGB, without EXIF, position or
 * thumbnails. Called in the process for hostile files.
 */
export async function reencodeImage(path: string, to: string): Promise<MediaFacts> {
  const image = openImage(path).autoOrient();
  const { format } = await openImage(path).metadata();
  const isPng = format === 'png';
  const encoded = isPng ? image.png({ compressionLevel: 6 }) : image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
  try {
    const { width, height } = await encoded.toFile(to);
    return {
      contentType: isPng ? 'image/png' : 'image/jpeg',
      width,
      height,
      duration: null,
      hasAudio: false,
      hasMetadata: false,
    };
  } catch (cause) {
    throw new UnusableMedia('The image is damaged or cut off.', { cause });
  }
}
