import type { Colour } from '#preview-engine/colour';
import { addLight } from '#preview-engine/draw-raster';
import { glowSprite } from '#preview-engine/glow-sprite';
import { createNoise } from '#preview-engine/noise';
import { createRandom, between } from '#preview-engine/random';
import { packSoft, type Raster } from '#preview-engine/raster';
import type { Stage } from '#preview-engine/stage';

/** Paints stars, most of them dim, with a faint denser band across the sky. */
export function paintStars(stage: Stage, sky: Raster, amount: number, lowest: number): void {
  const random = createRandom(stage.seed ^ 0x57a5);
  const noise = createNoise(stage.seed ^ 0xba2d);
  const slope = between(random, -0.8, 0.8);
  const middle = between(random, 0.1, 0.55) * lowest;
  const count = Math.round((amount * sky.width * lowest) / 700);
  const small = glowSprite(Math.max(2, stage.unit * 0.0022), [255, 255, 255], 1);
  for (let i = 0; i < count; i++) {
    const x = random() * sky.width;
    let y = random() * lowest;
    if (random() < 0.45)
      y = middle + (x - sky.width / 2) * slope + (random() + random() + random() - 1.5) * stage.unit * 0.16;
    if (y < 0 || y >= lowest) continue;
    const fade = 1 - (y / lowest) ** 3;
    const bright = random() ** 5;
    const warmth = noise(x * 0.05, y * 0.05);
    const tone: Colour = warmth > 0 ? [255, 240, 215] : [205, 225, 255];
    const size = stage.unit / 900;
    if (bright > 0.62) {
      const flare = glowSprite(Math.max(3, stage.unit * 0.011 * bright), tone, 0.55);
      addLight(sky, flare, x - flare.width / 2, y - flare.width / 2, fade);
      addLight(sky, small, x - small.width / 2, y - small.width / 2, fade);
    }
    const alpha = fade * (0.12 + 0.88 * bright);
    const dot = size > 1.6 ? 2 : 1;
    for (let oy = 0; oy < dot; oy++) {
      for (let ox = 0; ox < dot; ox++) {
        const at = Math.min(sky.height - 1, (y | 0) + oy) * sky.width + Math.min(sky.width - 1, (x | 0) + ox);
        const under = sky.pixels[at]!;
        const lift = (shift: number, to: number) => {
          const value = (under >> shift) & 255;
          return value + (to - value) * alpha;
        };
        sky.pixels[at] = packSoft(lift(0, tone[0]), lift(8, tone[1]), lift(16, tone[2]), 1, 0.5);
      }
    }
  }
}
