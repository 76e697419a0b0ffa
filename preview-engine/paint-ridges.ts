import { mix, lighten, type Colour } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { createNoise, layeredNoise, ridgedNoise, createTile, smoothstep, type Noise } from '#preview-engine/noise';
import { createRaster, DITHER, packSoft } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

export type Terrain = 'peaks' | 'hills' | 'dunes' | 'woods' | 'islands';

export interface Ridge {
  terrain: Terrain;
  /** Mean height of the crest, in rows. */
  crest: number;
  /** Height difference along the crest, in rows. */
  relief: number;
  /** Nearness, from 0 (far) to 1 (near). */
  near: number;
  /** Amount of snow, 0 to 1. */
  snow: number;
  seed: number;
}

/** Returns the row of the crest for every column. */
export function traceCrest(stage: Stage, ridge: Ridge): Float32Array {
  const noise = createNoise(ridge.seed);
  const spread = stage.unit;
  const crest = new Float32Array(stage.width + 2);
  const offset = (ridge.seed % 97) * 3.1;
  for (let x = 0; x < crest.length; x++) {
    const u = x / spread + offset;
    crest[x] = ridge.crest - ridge.relief * profile(ridge.terrain, noise, u, ridge.near, stage.hand.roughness);
  }
  return crest;
}

function profile(terrain: Terrain, noise: Noise, u: number, near: number, roughness: number): number {
  if (terrain === 'peaks') {
    const f = 1.25 + near * 0.6;
    const mass = 0.5 + 0.5 * noise(u * f * 0.55, 7.7);
    return (ridgedNoise(noise, u * f, 3.3, 4 + Math.round(roughness * 3)) - 0.35) * (0.55 + mass) * 1.25;
  }
  if (terrain === 'dunes') {
    // a swell with a long windward side and a short, steep lee side
    const wave = u * (0.9 + near * 0.25) + 0.35 * noise(u * 0.7, 2.2);
    const phase = wave - Math.floor(wave);
    const swell = phase < 0.7 ? smoothstep(0, 0.7, phase) : 1 - smoothstep(0.7, 1, phase);
    return swell * (0.6 + 0.5 * noise(Math.floor(wave) * 3.7, 1.5)) + 0.12 * noise(u * 2.4, 9);
  }
  if (terrain === 'woods') {
    const base = layeredNoise(noise, u * 1.2, 4.4, 3) * 0.9;
    return base + 0.03 * noise(u * 40, 3) * (1 - near);
  }
  if (terrain === 'islands') return Math.max(-0.6, layeredNoise(noise, u * 1.1, 5.5, 4) * 1.5 - 0.15);
  return layeredNoise(noise, u * (0.75 + near * 0.3), 6.6, 3) + 0.03 * noise(u * 14, 1) * roughness;
}

/** Paints a ridge with faces lit from the side of the light, haze at its foot and snow on its heights. */
export function paintRidge(stage: Stage, ridge: Ridge, crest: Float32Array, floor: number): Paint {
  const { width, palette, unit } = stage;
  const raster = createRaster(width, stage.height);
  const tile = createTile(ridge.seed ^ 3, 4, 6);
  const depth = ridge.near;
  const night = palette.darkness;
  const body = mix(
    mix(palette.haze, palette.far, Math.min(1, depth * 1.7 + 0.14)),
    palette.near,
    smoothstep(0.25, 1, depth),
  );
  const sun: Colour = mix(mix(body, palette.light, 0.35 - 0.2 * night), palette.haze, 0.12 * (1 - depth));
  const shade = mix(body, palette.near, 0.3 * (0.4 + depth * 0.6));
  const foot = mix(body, palette.haze, 0.72 * (1 - depth) + 0.1);
  const snowLit = mix(mix(lighten(palette.haze, 0.75), palette.light, 0.25 - night * 0.15), palette.far, night * 0.45);
  const snowShade = mix(mix(palette.haze, [150, 180, 225], 0.4 * (1 - night * 0.6)), body, 0.45 + night * 0.25);
  const span = Math.max(unit * 0.1, ridge.relief * 1.3 + unit * 0.06);
  const rough =
    ridge.terrain === 'peaks' ? 1 : ridge.terrain === 'dunes' ? 0.12 : ridge.terrain === 'woods' ? 0.6 : 0.35;
  const soft = ridge.terrain !== 'peaks';
  const contrast = { peaks: 1, dunes: 2.6, hills: 1.3, woods: 0.5, islands: 0.8 }[ridge.terrain];
  const step = Math.max(2, Math.round(unit * (ridge.terrain === 'dunes' ? 0.02 : 0.011)));
  const grade = 1 / step;
  const fine = 700 / unit;
  const streak = ridge.terrain === 'dunes' ? 0.25 : 1;
  const limit = crest.length - 1;
  const top = Math.max(0, Math.floor(crest.reduce((least, value) => Math.min(least, value), Infinity)));
  const bottom = Math.min(stage.height, Math.ceil(floor));
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < width; x++) {
      const under = y + 1 - crest[x]!;
      if (under <= 0) continue;
      const cover = under < 1 ? under : 1;
      const tx = (x * fine) | 0;
      const ty = (y * fine) | 0;
      const coarse = tile[((ty & 255) << 8) | (tx & 255)]!;
      const grain = tile[((((ty * 3) | 0) & 255) << 8) | ((tx * 3 * streak) & 255)]!;
      // the slope of the crest above, at a column that wanders with depth, so that faces run down in uneven lines
      const wander = x + coarse * rough * (unit * 0.02 + under * 0.4);
      const at = wander < step ? step : wander > limit - step ? limit - step : wander | 0;
      const slope = (crest[at + step]! - crest[at - step]!) * 0.5 * grade;
      const facing = light(stage.light.x, x) * slope * (soft ? Math.max(0, 1 - (under / span) * 0.8) : 1);
      let lit =
        0.42 + facing * contrast + grain * 0.22 * (rough + 0.25) - (soft ? Math.min(0.25, (under / span) * 0.4) : 0);
      lit = lit < 0 ? 0 : lit > 1 ? 1 : lit;
      const down = under / span;
      const fade = down > 1.6 ? 1 : down * 0.625;
      const mist = fade * fade * (0.25 + 0.75 * (1 - depth));
      let r = shade[0] + (sun[0] - shade[0]) * lit;
      let g = shade[1] + (sun[1] - shade[1]) * lit;
      let b = shade[2] + (sun[2] - shade[2]) * lit;
      if (ridge.snow > 0) {
        const line = ridge.snow * 1.25 - down + coarse * 0.55 + grain * 0.3 + (lit - 0.4) * 0.5;
        const white = line <= 0 ? 0 : line >= 0.22 ? 1 : line / 0.22;
        if (white > 0) {
          r += (snowShade[0] + (snowLit[0] - snowShade[0]) * lit - r) * white;
          g += (snowShade[1] + (snowLit[1] - snowShade[1]) * lit - g) * white;
          b += (snowShade[2] + (snowLit[2] - snowShade[2]) * lit - b) * white;
        }
      }
      r += (foot[0] - r) * mist;
      g += (foot[1] - g) * mist;
      b += (foot[2] - b) * mist;
      raster.pixels[y * width + x] = packSoft(r, g, b, cover, DITHER[((y & 7) << 3) | (x & 7)]!);
    }
  }
  const parallax = 0.12 + ridge.near * 0.88;
  return (frame, { pan }) => drawRaster(frame, raster, -stage.margin + pan * stage.margin * parallax, 0);
}

function light(lightX: number, x: number): number {
  const side = (lightX - x) / 160;
  return side < -1 ? 1 : side > 1 ? -1 : -side;
}
