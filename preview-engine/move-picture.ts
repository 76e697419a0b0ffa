import type { Raster } from '#preview-engine/raster';

/** Draws `source` over a target of equal size, enlarged by `zoom` about a point (0 to 1), bilinear. */
export function drawZoomed(target: Raster, source: Raster, zoom: number, centreX: number, centreY: number): void {
  const { width, height } = target;
  if (zoom <= 1) {
    target.pixels.set(source.pixels);
    return;
  }
  const step = Math.round(65536 / zoom);
  const startX = Math.round((width - 1) * centreX * (1 - 1 / zoom) * 65536);
  const startY = Math.round((height - 1) * centreY * (1 - 1 / zoom) * 65536);
  const from = source.pixels;
  // fixed point with 16 bits of fraction, which overflows only beyond 65,535 columns
  for (let y = 0; y < height; y++) {
    const sy = startY + y * step;
    const y0 = Math.min(height - 2, sy >>> 16);
    const fy = (sy >>> 8) & 255;
    const row = y0 * width;
    for (let x = 0, sx = startX, at = y * width; x < width; x++, sx += step, at++) {
      const x0 = sx >>> 16;
      const p = row + (x0 < width - 1 ? x0 : width - 2);
      const fx = (sx >>> 8) & 255;
      const wd = (fx * fy) >> 8;
      const wb = fx - wd;
      const wc = fy - wd;
      const wa = 256 - fx - fy + wd;
      const a = from[p]!;
      const b = from[p + 1]!;
      const c = from[p + width]!;
      const d = from[p + width + 1]!;
      target.pixels[at] =
        (0xff000000 |
          (((Math.imul(a & 0xff00ff, wa) +
            Math.imul(b & 0xff00ff, wb) +
            Math.imul(c & 0xff00ff, wc) +
            Math.imul(d & 0xff00ff, wd)) >>>
            8) &
            0xff00ff) |
          ((Math.imul((a >>> 8) & 0xff, wa) +
            Math.imul((b >>> 8) & 0xff, wb) +
            Math.imul((c >>> 8) & 0xff, wc) +
            Math.imul((d >>> 8) & 0xff, wd)) &
            0xff00)) >>>
        0;
    }
  }
}

/** Fades `target` towards `other`; amount 0 to 1. */
export function crossFade(target: Raster, other: Raster, amount: number): void {
  const k = Math.round(Math.max(0, Math.min(1, amount)) * 256);
  if (k === 0) return;
  if (k === 256) {
    target.pixels.set(other.pixels);
    return;
  }
  const keep = 256 - k;
  const a = target.pixels;
  const b = other.pixels;
  for (let i = 0; i < a.length; i++) {
    const p = a[i]!;
    const q = b[i]!;
    a[i] =
      (0xff000000 |
        (((Math.imul(p & 0xff00ff, keep) + Math.imul(q & 0xff00ff, k)) >>> 8) & 0xff00ff) |
        (((Math.imul(p & 0xff00, keep) + Math.imul(q & 0xff00, k)) >>> 8) & 0xff00)) >>>
      0;
  }
}
