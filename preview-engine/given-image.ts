import sharp from 'sharp';
import { premultiply, type Raster } from '#preview-engine/raster';

/** Loads a given image, upright and cropped to `width` × `height`. */
export async function loadCover(path: string, width: number, height: number): Promise<Raster> {
  const data = await sharp(path)
    .rotate()
    .resize(width, height, { fit: 'cover', position: 'centre' })
    .toColourspace('srgb')
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  return premultiply(data, width, height);
}
