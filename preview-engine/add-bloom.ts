import type { Raster } from '#preview-engine/raster';

const SHRINK = 8;

/** Makes bright parts glow: they are shrunk, blurred and screened over the image. Too slow for frames of a video. */
export function addBloom(frame: Raster, amount: number): void {
  const { width, height, pixels } = frame;
  const w = Math.ceil(width / SHRINK);
  const h = Math.ceil(height / SHRINK);
  const bright = new Float32Array(w * h * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const px = pixels[y * width + x]!;
      const r = px & 255;
      const g = (px >> 8) & 255;
      const b = (px >> 16) & 255;
      const over = (r > g ? (r > b ? r : b) : g > b ? g : b) - 190;
      if (over <= 0) continue;
      const k = over / (65 * SHRINK * SHRINK);
      const p = (((y / SHRINK) | 0) * w + ((x / SHRINK) | 0)) * 3;
      bright[p]! += r * k;
      bright[p + 1]! += g * k;
      bright[p + 2]! += b * k;
    }
  }
  const radius = Math.max(2, Math.round(Math.min(w, h) / 24));
  for (let pass = 0; pass < 2; pass++) {
    blurLines(bright, w, h, 3, w * 3, radius);
    blurLines(bright, h, w, w * 3, 3, radius);
  }
  for (let y = 0; y < height; y++) {
    const sy = Math.max(0, Math.min(h - 1.001, (y + 0.5) / SHRINK - 0.5));
    const y0 = sy | 0;
    const fy = sy - y0;
    for (let x = 0; x < width; x++) {
      const sx = Math.max(0, Math.min(w - 1.001, (x + 0.5) / SHRINK - 0.5));
      const x0 = sx | 0;
      const fx = sx - x0;
      const p = (y0 * w + x0) * 3;
      const q = h > 1 ? p + w * 3 : p;
      const wa = (1 - fx) * (1 - fy) * amount;
      const wb = fx * (1 - fy) * amount;
      const wc = (1 - fx) * fy * amount;
      const wd = fx * fy * amount;
      const ar = bright[p]! * wa + bright[p + 3]! * wb + bright[q]! * wc + bright[q + 3]! * wd;
      const ag = bright[p + 1]! * wa + bright[p + 4]! * wb + bright[q + 1]! * wc + bright[q + 4]! * wd;
      const ab = bright[p + 2]! * wa + bright[p + 5]! * wb + bright[q + 2]! * wc + bright[q + 5]! * wd;
      if (ar + ag + ab < 1.5) continue;
      const px = pixels[y * width + x]!;
      const r = px & 255;
      const g = (px >> 8) & 255;
      const b = (px >> 16) & 255;
      pixels[y * width + x] =
        (0xff000000 |
          ((b + ((255 - b) * ab) / 255) << 16) |
          ((g + ((255 - g) * ag) / 255) << 8) |
          (r + ((255 - r) * ar) / 255)) >>>
        0;
    }
  }
}

/** Box-blurs three channels along `lines` lines, `stride` apart, each of `length` samples, `step` apart. */
function blurLines(
  data: Float32Array,
  length: number,
  lines: number,
  step: number,
  stride: number,
  radius: number,
): void {
  const line = new Float32Array(length);
  const scale = 1 / (radius * 2 + 1);
  for (let channel = 0; channel < 3; channel++) {
    for (let index = 0; index < lines; index++) {
      const base = index * stride + channel;
      for (let i = 0; i < length; i++) line[i] = data[base + i * step]!;
      let sum = 0;
      for (let i = -radius; i <= radius; i++) sum += line[Math.max(0, Math.min(length - 1, i))]!;
      for (let i = 0; i < length; i++) {
        data[base + i * step] = sum * scale;
        sum += line[Math.min(length - 1, i + radius + 1)]! - line[Math.max(0, i - radius)]!;
      }
    }
  }
}
