import { ramp, type Colour } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { enlargeField } from '#preview-engine/enlarge-field';
import { createNoise, layeredNoise, ridgedNoise, createTile } from '#preview-engine/noise';
import { createRaster, DITHER, packSoft } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

/** Paints caustics, the nets of light in water, as a soft layer; `strength` 0 to 1. */
export function paintCaustics(stage: Stage, colour: Colour, strength: number, scale: number): Paint {
  const { width, height, unit, margin } = stage;
  const noise = createNoise(stage.seed ^ 0xca5);
  const shrink = 3;
  const wide = width + Math.round(unit * 0.3);
  const w = Math.ceil(wide / shrink) + 2;
  const h = Math.ceil(height / shrink) + 2;
  const field = new Float32Array(w * h * 4);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const u = ((x * shrink) / unit) * scale;
      const v = ((y * shrink) / unit) * scale * 1.5;
      const bend = layeredNoise(noise, u * 0.6, v * 0.6, 2);
      const net = Math.max(0, ridgedNoise(noise, u + bend, v - bend, 3) - 0.5) ** 2 * 5 * strength;
      const alpha = Math.min(0.7, net);
      field.set([colour[0] * alpha, colour[1] * alpha, colour[2] * alpha, alpha * 255], (y * w + x) * 4);
    }
  }
  const net = enlargeField(field, w, h, wide, height, shrink);
  return (frame, { seconds, pan }) =>
    drawRaster(
      frame,
      net,
      -margin - unit * 0.15 + pan * margin * 0.4 + Math.sin(seconds * 0.5) * unit * 0.1,
      0,
      0.72 + 0.28 * Math.sin(seconds * 1.7),
    );
}

/** Paints water that is darker with depth, with beams of light from the surface. */
export function paintDepths(stage: Stage, stops: Colour[], rays: number): Paint {
  const { width, height, margin, light } = stage;
  const ground = createRaster(width, height);
  const colours = ramp(stops, 512);
  const noise = createNoise(stage.seed ^ 0x4a7);
  const beams = Float32Array.from({ length: 2048 }, (_, i) => Math.max(0, layeredNoise(noise, i * 0.022, 3, 4) + 0.12));
  const tile = createTile(stage.seed ^ 0xdee, 4, 4);
  for (let y = 0; y < height; y++) {
    const t = y / height;
    for (let x = 0; x < width; x++) {
      const cloud = tile[((((y * 160) / stage.unit) & 255) << 8) | (((x * 160) / stage.unit) & 255)]!;
      const at = Math.max(0, Math.min(511, Math.round((t + cloud * 0.05) * 511))) * 3;
      const angle = (x - light.x) / (y + height * 0.45);
      const beam = rays * beams[Math.max(0, Math.min(2047, Math.round(angle * 420 + 1024)))]! * (1 - t) ** 1.4;
      const lift = (i: number) => colours[at + i]! + (stage.palette.light[i as 0] - colours[at + i]!) * beam;
      ground.pixels[y * width + x] = packSoft(lift(0), lift(1), lift(2), 1, DITHER[((y & 7) << 3) | (x & 7)]!);
    }
  }
  return (frame, { pan }) => drawRaster(frame, ground, -margin + Math.round(pan * margin * 0.15), 0);
}
