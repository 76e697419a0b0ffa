import { mix } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { enlargeField } from '#preview-engine/enlarge-field';
import { createNoise, layeredNoise, smoothstep } from '#preview-engine/noise';
import type { Paint, Stage } from '#preview-engine/stage';

/** Paints drifting fog banks. */
export function paintFog(stage: Stage, density: number): Paint {
  const { width, height, horizon, palette, unit, margin } = stage;
  const noise = createNoise(stage.seed ^ 0xf06);
  const shrink = 6;
  const wide = width + Math.round(unit * 0.5);
  const w = Math.ceil(wide / shrink) + 2;
  const h = Math.ceil(height / shrink) + 2;
  const field = new Float32Array(w * h * 4);
  const colour = mix(palette.haze, palette.sky[3]!, 0.5);
  for (let y = 0; y < h; y++) {
    const at = (y * shrink) / height;
    const bank = Math.exp(-(((at - horizon / height - 0.06) / 0.2) ** 2)) * 0.85 + 0.18;
    for (let x = 0; x < w; x++) {
      const u = (x * shrink) / unit;
      const puff = smoothstep(-0.5, 0.6, layeredNoise(noise, u * 1.2, (y * shrink * 3) / unit, 4));
      const alpha = Math.min(0.92, density * bank * (0.35 + 0.8 * puff));
      const p = (y * w + x) * 4;
      field[p] = colour[0] * alpha;
      field[p + 1] = colour[1] * alpha;
      field[p + 2] = colour[2] * alpha;
      field[p + 3] = alpha * 255;
    }
  }
  const fog = enlargeField(field, w, h, wide, height, shrink);
  return (frame, { seconds, pan, weather }) => {
    const drift = (seconds * unit * 0.02) % (unit * 0.45);
    // fog has no edges, so whole-pixel steps are smooth enough, and faster to draw
    drawRaster(frame, fog, Math.round(-margin + pan * margin * 0.6 - drift), 0, weather);
  };
}
