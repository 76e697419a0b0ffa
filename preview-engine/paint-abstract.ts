import { mix, ramp, type Colour } from '#preview-engine/colour';
import { createNoise, layeredNoise } from '#preview-engine/noise';
import { paintOrb } from '#preview-engine/paint-orb';
import { between, pick } from '#preview-engine/random';
import { DITHER } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

const STEPS = 4096;

/**
 * Paints silk: folds of colour that flow along a warped field. The field and its relief are computed once; each frame
 * only moves the colours along the field.
 */
export function paintAbstract(stage: Stage): Paint[] {
  const { width, height, random, unit, margin } = stage;
  const noise = createNoise(stage.seed ^ 0xab5);
  const shrink = unit > 500 ? 3 : 2;
  const w = Math.ceil(width / shrink) + 3;
  const h = Math.ceil(height / shrink) + 3;
  const zoom = between(random, 0.75, 1.5);
  const turn = random() * Math.PI;
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const pull = between(random, 1.1, 2.2);
  const stretch = between(random, 1, 2.4);
  const field = new Float32Array(w * h);
  const swirl = random() < 0.4 ? between(random, 1.5, 3.5) : 0;
  const cx = between(random, 0.25, 0.75) * w;
  const cy = between(random, 0.25, 0.75) * h;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let px = ((x - cx) * shrink) / unit;
      let py = ((y - cy) * shrink) / unit;
      if (swirl > 0) {
        const angle = swirl * Math.exp(-(px * px + py * py) * 2.2);
        const c = Math.cos(angle);
        const s = Math.sin(angle);
        [px, py] = [px * c - py * s, px * s + py * c];
      }
      const u = ((px * cos - py * sin) * zoom) / stretch;
      const v = (px * sin + py * cos) * zoom;
      const ax = layeredNoise(noise, u + 4.1, v + 1.3, 2);
      const ay = layeredNoise(noise, u - 2.7, v + 8.8, 2);
      field[y * w + x] = layeredNoise(noise, u + pull * ax, v + pull * ay, 3) + 0.35 * ax;
    }
  }
  const folds = between(random, 2.4, 4.5);
  const colours = silkRamp(stage);
  const phase = new Uint16Array(width * height);
  const shade = new Uint8Array(width * height);
  const slope = unit / shrink / 9;
  const lx = stage.light.x < width / 2 ? -1 : 1;
  for (let y = 0; y < height; y++) {
    const sy = y / shrink + 1;
    const y0 = sy | 0;
    const fy = sy - y0;
    for (let x = 0; x < width; x++) {
      const sx = x / shrink + 1;
      const x0 = sx | 0;
      const fx = sx - x0;
      const p = y0 * w + x0;
      const a = field[p]!;
      const b = field[p + 1]!;
      const c = field[p + w]!;
      const d = field[p + w + 1]!;
      const value = (a + (b - a) * fx) * (1 - fy) + (c + (d - c) * fx) * fy;
      const gx = ((b - a) * (1 - fy) + (d - c) * fy) * slope;
      const gy = ((c - a) * (1 - fx) + (d - b) * fx) * slope;
      const sheen = (gx * lx - gy) / Math.sqrt(1 + gx * gx + gy * gy);
      phase[y * width + x] = ((value + 4) * STEPS * folds * 0.25) & (STEPS - 1);
      const lit = 128 + sheen * 74 + DITHER[((y & 7) << 3) | (x & 7)]!;
      shade[y * width + x] = lit < 30 ? 30 : lit > 215 ? 215 : lit;
    }
  }
  const frameWidth = width - margin * 2;
  const flow: Paint = (frame, { seconds, pan }) => {
    const run = Math.round(seconds * STEPS * 0.035);
    const shift = Math.round(margin - pan * margin * 0.6);
    for (let y = 0; y < height; y++) {
      const base = y * frameWidth;
      const from = y * width + shift;
      for (let x = 0; x < frameWidth; x++) {
        const at = ((phase[from + x]! + run) & (STEPS - 1)) * 3;
        const k = shade[from + x]!;
        const r = (colours[at]! * k) >> 7;
        const g = (colours[at + 1]! * k) >> 7;
        const b = (colours[at + 2]! * k) >> 7;
        frame.pixels[base + x] =
          (0xff000000 | ((b > 255 ? 255 : b) << 16) | ((g > 255 ? 255 : g) << 8) | (r > 255 ? 255 : r)) >>> 0;
      }
    }
  };
  const forms = random() < 0.4 ? [paintOrb(stage)] : [];
  return [flow, ...forms];
}

/** Returns a cyclic ramp of the palette's colours, with thin bright edges between the folds. */
function silkRamp(stage: Stage): Uint8Array {
  const { palette, random } = stage;
  const pool: Colour[] = [
    palette.sky[0]!,
    palette.sky[1]!,
    palette.sky[2]!,
    palette.sky[3]!,
    palette.accent,
    palette.second,
    palette.water,
    palette.near,
    palette.haze,
  ];
  const stops: Colour[] = [palette.near];
  for (let i = 0; i < 4; i++) stops.push(pick(random, pool));
  stops.push(palette.accent, mix(palette.second, palette.light, 0.4), palette.sky[0]!);
  stops.push(stops[0]!);
  const soft = ramp(stops, STEPS);
  const bytes = new Uint8Array(STEPS * 3);
  for (let i = 0; i < STEPS; i++) {
    const cycle = ((i / STEPS) * 8) % 1;
    const edge = Math.exp(-(((cycle - 0.06) * 26) ** 2)) * 0.24;
    const dark = 1 - 0.3 * Math.max(0, 1 - cycle * 3.2) * (cycle > 0.06 ? 1 : 0);
    for (let channel = 0; channel < 3; channel++) {
      const value = soft[i * 3 + channel]! * dark;
      bytes[i * 3 + channel] = Math.min(255, value + (255 - value) * edge);
    }
  }
  return bytes;
}
