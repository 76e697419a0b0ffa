import type { Colour } from '#preview-engine/colour';
import { createRaster, DITHER, packSoft, type Raster } from '#preview-engine/raster';

/** Returns a soft round light for `addLight`; `strength` is its brightness at the centre, 0 to 1. */
export function glowSprite(radius: number, colour: Colour, strength: number): Raster {
  const side = Math.max(3, Math.ceil(radius * 2));
  const sprite = createRaster(side, side);
  const centre = side / 2;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const dx = (x + 0.5 - centre) / centre;
      const dy = (y + 0.5 - centre) / centre;
      const distance = Math.sqrt(dx * dx + dy * dy);
      if (distance >= 1) continue;
      const value = strength * (1 - distance) ** 2 * (0.4 + 0.6 * (1 - distance) ** 2);
      const d = DITHER[((y & 7) << 3) | (x & 7)]!;
      sprite.pixels[y * side + x] = packSoft(colour[0] * value, colour[1] * value, colour[2] * value, 1, d);
    }
  }
  return sprite;
}
