import sharp from 'sharp';

/** Premultiplied RGBA pixels, packed little-endian (alpha in the high byte). */
export interface Raster {
  width: number;
  height: number;
  pixels: Uint32Array;
}

export function createRaster(width: number, height: number): Raster {
  return { width, height, pixels: new Uint32Array(width * height) };
}

/** Larger images are painted with at most this many pixels and enlarged: shapes are soft, and memory stays bounded. */
const MOST_PIXELS = 2_400_000;

/** Returns the size at which an output of this size is painted. */
export function paintedSize({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}

const MATRIX = [
  0, 32, 8, 40, 2, 34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26, 12, 44, 4, 36, 14, 46, 6, 38, 60, 28, 52, 20, 62, 30, 54,
  22, 3, 35, 11, 43, 1, 33, 9, 41, 51, 19, 59, 27, 49, 17, 57, 25, 15, 47, 7, 39, 13, 45, 5, 37, 63, 31, 55, 23, 61, 29,
  53, 21,
];

/** Ordered dither, 0 to 1, at `(y & 7) << 3 | (x & 7)`: hides banding in gradients and compresses well in a PNG. */
export const DITHER = Float32Array.from(MATRIX, value => (value + 0.5) / 64);

const byte = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : value | 0);

/** Packs a colour into a pixel: clamps the values, rounds them with the dither, and premultiplies alpha (0 to 1). */
export function packSoft(r: number, g: number, b: number, alpha: number, dither: number): number {
  return (
    ((byte(alpha * 255 + dither) << 24) |
      (byte(b * alpha + dither) << 16) |
      (byte(g * alpha + dither) << 8) |
      byte(r * alpha + dither)) >>>
    0
  );
}

/** Converts RGBA bytes with straight alpha to a premultiplied raster. */
export function premultiply(data: Uint8Array, width: number, height: number): Raster {
  const raster = createRaster(width, height);
  const { pixels } = raster;
  for (let i = 0, p = 0; i < pixels.length; i++, p += 4) {
    const a = data[p + 3]!;
    if (a === 0) continue;
    if (a === 255) {
      pixels[i] = ((255 << 24) | (data[p + 2]! << 16) | (data[p + 1]! << 8) | data[p]!) >>> 0;
      continue;
    }
    const f = a * 257;
    pixels[i] =
      ((a << 24) | (((data[p + 2]! * f) >> 16) << 16) | (((data[p + 1]! * f) >> 16) << 8) | ((data[p]! * f) >> 16)) >>>
      0;
  }
  return raster;
}

/** Rasterises SVG markup (the content of `<svg>`), scaling its `box` to `width` × `height`. */
export async function rasterizeSvg(
  markup: string,
  box: readonly [number, number],
  width: number,
  height: number,
): Promise<Raster> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${box[0]} ${box[1]}" preserveAspectRatio="none">${markup}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg), { limitInputPixels: false })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return premultiply(data, info.width, info.height);
}
