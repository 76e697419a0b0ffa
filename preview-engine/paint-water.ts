import { mix } from '#preview-engine/colour';
import { createTile } from '#preview-engine/noise';
import type { Paint, Stage } from '#preview-engine/stage';

/** Paints water or a wet street, which mirrors the frame above `line`, with ripples that grow towards the viewer. */
export function paintWater(stage: Stage, line: number, options: { calm: number; mirror: number }): Paint {
  const width = stage.width - 2 * stage.margin;
  const { height, palette, unit } = stage;
  const rows = Math.max(0, height - line);
  // ripples keep their relative size in large images; only their texture gets finer
  const fine = Math.max(1, unit / 370);
  const tile = Int8Array.from(createTile(stage.seed ^ 0x3a7e, Math.max(2, Math.round(8 / fine)), 5), value =>
    Math.max(-127, Math.min(127, value * 150)),
  );
  const places = new Uint32Array(width * rows);
  const tones = new Float32Array(rows * 4);
  const glint = new Uint8Array(width * rows);
  const lightX = stage.light.x - stage.margin;
  const deep = mix(palette.water, palette.near, 0.35);
  const top = mix(palette.water, palette.haze, 0.45);
  for (let row = 0; row < rows; row++) {
    const t = (row + 0.5) / rows;
    // perspective: ripples get denser towards the horizon
    const z = 1 / (t * 0.94 + 0.06);
    const v = z * 330 * fine;
    const colour = mix(top, deep, Math.min(1, t * 1.2));
    const body = 1 - options.mirror * (0.92 - 0.5 * t);
    tones.set([colour[0] * body, colour[1] * body, colour[2] * body, Math.round((1 - body) * 256)], row * 4);
    const broad = unit * (0.035 + 0.2 * t);
    for (let x = 0; x < width; x++) {
      const u = ((x - width / 2) / unit) * z * 130 * fine + 5000;
      places[row * width + x] = ((((v | 0) & 255) << 8) | ((u | 0) & 255)) >>> 0;
      if (!stage.light.shown) continue;
      const off = Math.abs(x - lightX) / broad;
      if (off < 1) glint[row * width + x] = 235 * (1 - off) ** 1.5 * (1 - 0.55 * t);
    }
  }
  const [lightR, lightG, lightB] = palette.light;
  const rough = (1 - options.calm) * 0.9 + 0.1;
  const body = Int32Array.from(tones);
  return (frame, { seconds }) => {
    const out = frame.pixels;
    const run = (Math.floor(seconds * 26 * fine) & 255) << 8;
    const slow = (Math.floor(seconds * 13 * fine) & 255) << 8;
    const cross = Math.floor(seconds * 9 * fine);
    for (let row = 0; row < rows; row++) {
      const t = row / rows;
      const base = (line + row) * width;
      const source = Math.floor((line - 1 - row * (line / Math.max(line, rows * 1.02))) * 4096);
      // fixed point with 12 bits of fraction, because this loop runs over up to half of every frame
      const wx = Math.round((4096 * rough * unit * (0.004 + 0.03 * t)) / 127);
      const wy = Math.round((4096 * rough * unit * (0.006 + 0.05 * t)) / 127);
      const r0 = body[row * 4]!;
      const g0 = body[row * 4 + 1]!;
      const b0 = body[row * 4 + 2]!;
      const keep = body[row * 4 + 3]!;
      const shadow = Math.round((65536 * 0.16 * rough * (0.4 + t)) / 127);
      for (let x = 0, at = row * width; x < width; x++, at++) {
        const place = places[at]!;
        const a = tile[((place + run) & 0xff00) | ((place + cross) & 255)]!;
        const b = tile[((place - slow) & 0xff00) | ((place * 2 - cross + 90) & 255)]!;
        const wave = a + b;
        let sy = (source - (wave > 0 ? wave : (-wave * 102) >> 8) * wy) >> 12;
        if (sy < 0) sy = 0;
        else if (sy >= line) sy = line - 1;
        let sx = x + (((a - b) * wx) >> 12);
        if (sx < 0) sx = 0;
        else if (sx >= width) sx = width - 1;
        const px = out[sy * width + sx]!;
        const tone = 1024 + ((wave * shadow) >> 6);
        let r = (((((px & 255) * keep) >> 8) + r0) * tone) >> 10;
        let g = ((((((px >> 8) & 255) * keep) >> 8) + g0) * tone) >> 10;
        let bl = ((((((px >> 16) & 255) * keep) >> 8) + b0) * tone) >> 10;
        const shine = glint[at]!;
        if (shine !== 0 && wave > 10) {
          const s = shine * (wave > 90 ? 80 : wave - 10);
          r += ((lightR - r) * s) >> 14;
          g += ((lightG - g) * s) >> 14;
          bl += ((lightB - bl) * s) >> 14;
        }
        out[base + x] = 0xff000000 | ((bl > 255 ? 255 : bl) << 16) | ((g > 255 ? 255 : g) << 8) | (r > 255 ? 255 : r);
      }
    }
  };
}
