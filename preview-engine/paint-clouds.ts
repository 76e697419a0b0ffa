import { mix } from '#preview-engine/colour';
import { enlargeField } from '#preview-engine/enlarge-field';
import { createNoise, layeredNoise, smoothstep } from '#preview-engine/noise';
import { createRandom, between } from '#preview-engine/random';
import type { Raster } from '#preview-engine/raster';
import type { Stage } from '#preview-engine/stage';

/** Paints clouds in perspective, large overhead and thin at the horizon, lit from the side of the light. */
export function paintClouds(stage: Stage, cover: number): Raster {
  const { palette, light, width, horizon } = stage;
  const noise = createNoise(stage.seed ^ 0xc10d);
  const random = createRandom(stage.seed ^ 0xc10e);
  const shrink = 3;
  const height = Math.max(8, Math.min(stage.height, Math.ceil(horizon * 1.02)));
  const w = Math.ceil(width / shrink) + 2;
  const h = Math.ceil(height / shrink) + 2;
  const field = new Float32Array(w * h * 4);
  const lit = mix(palette.cloud, palette.light, 0.25);
  const dark = mix(mix(palette.sky[1] ?? palette.far, palette.far, 0.5), palette.near, 0.08 + 0.12 * cover);
  const stretch = between(random, 1.1, 2.6);
  const size = between(random, 1.3, 2.4);
  const bar = 0.34 - cover * 0.5;
  const softness = between(random, 0.24, 0.42);
  const scale = shrink / stage.unit;
  for (let y = 0; y < h; y++) {
    const up = Math.max(0, 1 - (y * shrink) / horizon);
    const depth = 1 / (up * 0.9 + 0.22);
    const v = depth * 1.7 * size;
    const edge = smoothstep(0, 0.12, up);
    for (let x = 0; x < w; x++) {
      const u = ((x - w / 2) * scale * depth * size) / stretch;
      const bend = noise(u * 0.7 + 3, v * 0.7) * 0.6;
      const here = layeredNoise(noise, u + bend, v + bend * 0.5, 5) + 0.22 * noise(u * 0.4 + 40, v * 0.4);
      const density = smoothstep(bar, bar + softness, here);
      if (density <= 0) continue;
      const towards = Math.max(-1, Math.min(1, (light.x - x * shrink) / (stage.unit * 0.3))) * 0.22;
      const beside = layeredNoise(noise, u + bend + towards, v + bend * 0.5 + 0.16, 3);
      const dx = (x * shrink - light.x) / stage.unit;
      const dy = (y * shrink - light.y) / stage.unit;
      const near = Math.exp(-(dx * dx + dy * dy) * 2.2);
      const bright = Math.max(0, Math.min(1, 0.52 + (here - beside) * 1.25 - (density - 0.5) * 0.3 + near * 0.35));
      const alpha = density * edge * (0.9 - 0.35 * near);
      const p = (y * w + x) * 4;
      field[p] = (dark[0] + (lit[0] - dark[0]) * bright) * alpha;
      field[p + 1] = (dark[1] + (lit[1] - dark[1]) * bright) * alpha;
      field[p + 2] = (dark[2] + (lit[2] - dark[2]) * bright) * alpha;
      field[p + 3] = alpha * 255;
    }
  }
  return enlargeField(field, w, h, width, height, shrink);
}
