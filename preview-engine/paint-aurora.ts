import { mix, type Colour } from '#preview-engine/colour';
import { enlargeField } from '#preview-engine/enlarge-field';
import { createNoise, layeredNoise, smoothstep } from '#preview-engine/noise';
import type { Raster } from '#preview-engine/raster';
import type { Stage } from '#preview-engine/stage';

/** Paints curtains of northern lights. */
export function paintAurora(stage: Stage): Raster {
  const { width, horizon, palette } = stage;
  const noise = createNoise(stage.seed ^ 0xa0a0);
  const shrink = 3;
  const w = Math.ceil(width / shrink) + 2;
  const h = Math.ceil(horizon / shrink) + 2;
  const field = new Float32Array(w * h * 4);
  const low: Colour = mix([70, 255, 170], palette.second, 0.15);
  const high: Colour = mix([150, 90, 255], palette.accent, 0.2);
  for (let curtain = 0; curtain < 3; curtain++) {
    for (let x = 0; x < w; x++) {
      const u = (x * shrink) / stage.unit;
      const base = h * (0.8 - curtain * 0.17) + layeredNoise(noise, u * 1.1 + curtain * 9, curtain * 5, 3) * h * 0.3;
      const rays = 0.55 + 0.45 * layeredNoise(noise, u * 16 + layeredNoise(noise, u * 2, 3, 2) * 6, curtain * 3, 3);
      const power =
        (0.95 - curtain * 0.22) * Math.max(0, rays) * smoothstep(-0.5, 0.3, noise(u * 0.8 + curtain * 7, 4));
      const length = h * (0.42 + 0.2 * noise(u * 1.3, curtain + 0.5));
      for (let y = Math.max(0, Math.floor(base - length)); y < Math.min(h, base + 8); y++) {
        const t = (base - y) / length;
        const value = power * (t < 0 ? Math.exp(t * 26) : Math.exp(-t * 2.6) * (1 - t));
        if (value <= 0) continue;
        const k = Math.max(0, Math.min(1, t * 1.25));
        const p = (y * w + x) * 4;
        field[p]! += (low[0] + (high[0] - low[0]) * k) * value;
        field[p + 1]! += (low[1] + (high[1] - low[1]) * k) * value;
        field[p + 2]! += (low[2] + (high[2] - low[2]) * k) * value;
        // light as a colour that is as opaque as it is bright: close to a screen blend, and faster to draw
        field[p + 3] = Math.min(255, Math.max(field[p]!, field[p + 1]!, field[p + 2]!));
      }
    }
  }
  return enlargeField(field, w, h, width, Math.ceil(horizon), shrink);
}
