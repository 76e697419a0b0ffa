import { mix, lighten } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { between, pick } from '#preview-engine/random';
import { createRaster, DITHER, packSoft } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

/** Paints a plain sphere as the focus of an abstract image. */
export function paintOrb(stage: Stage): Paint {
  const { random, unit, palette, height, width, margin } = stage;
  const radius = unit * between(random, 0.13, 0.24);
  const side = Math.ceil(radius * 2) + 4;
  const orb = createRaster(side, side);
  const colour = pick(random, [palette.accent, palette.second, palette.light]);
  const bright = lighten(colour, 0.55);
  const dark = mix(colour, palette.near, 0.75);
  const lx = stage.light.x < width / 2 ? -0.5 : 0.5;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const dx = (x + 0.5 - side / 2) / radius;
      const dy = (y + 0.5 - side / 2) / radius;
      const d2 = dx * dx + dy * dy;
      const cover = Math.max(0, Math.min(1, (1 - Math.sqrt(d2)) * radius + 0.5));
      if (cover === 0) continue;
      const dz = Math.sqrt(Math.max(0, 1 - d2));
      const facing = dx * lx - dy * 0.6 + dz * 0.62;
      const k = Math.max(0, Math.min(1, facing * 0.62 + 0.42 * (1 - dz) ** 3));
      const shine = Math.max(0, facing - 0.8) * 2.2;
      const part = (i: 0 | 1 | 2) =>
        dark[i] +
        (colour[i] - dark[i]) * Math.min(1, k * 1.5) +
        (bright[i] - colour[i]) * Math.max(0, k - 0.45) +
        (255 - colour[i]) * shine;
      orb.pixels[y * side + x] = packSoft(part(0), part(1), part(2), cover, DITHER[((y & 7) << 3) | (x & 7)]!);
    }
  }
  const x = between(random, 0.28, 0.72) * (width - margin * 2) - side / 2;
  const y = between(random, 0.3, 0.65) * height - side / 2;
  return (frame, { seconds, pan }) =>
    drawRaster(frame, orb, x + pan * margin * 0.9, Math.round(y + Math.sin(seconds * 0.8) * unit * 0.012 - 0));
}
