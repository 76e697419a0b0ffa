import { createRaster, DITHER, type Raster } from '#preview-engine/raster';

const byte = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : value | 0);

/** Enlarges premultiplied RGBA floats (0 to 255) by `shrink`, bilinear and dithered. Soft layers are computed small. */
export function enlargeField(
  field: Float32Array,
  w: number,
  h: number,
  width: number,
  height: number,
  shrink: number,
): Raster {
  const raster = createRaster(width, height);
  const row = new Float32Array(w * 4);
  for (let y = 0; y < height; y++) {
    const sy = Math.min(h - 1.001, y / shrink);
    const y0 = Math.floor(sy);
    const fy = sy - y0;
    const first = y0 * w * 4;
    const second = first + w * 4;
    let any = false;
    for (let i = 0; i < row.length; i++) {
      const value = field[first + i]! * (1 - fy) + field[second + i]! * fy;
      row[i] = value;
      if (value > 0) any = true;
    }
    if (!any) continue;
    for (let x = 0; x < width; x++) {
      const sx = Math.min(w - 1.001, x / shrink);
      const x0 = sx | 0;
      const fx = sx - x0;
      const p = x0 * 4;
      const a = row[p + 3]! + (row[p + 7]! - row[p + 3]!) * fx;
      if (a <= 0) continue;
      const d = DITHER[((y & 7) << 3) | (x & 7)]!;
      const alpha = byte(a + d);
      const r = Math.min(alpha, byte(row[p]! + (row[p + 4]! - row[p]!) * fx + d));
      const g = Math.min(alpha, byte(row[p + 1]! + (row[p + 5]! - row[p + 1]!) * fx + d));
      const b = Math.min(alpha, byte(row[p + 2]! + (row[p + 6]! - row[p + 2]!) * fx + d));
      raster.pixels[y * width + x] = ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
    }
  }
  return raster;
}
