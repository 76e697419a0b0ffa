import type { Colour } from '#preview-engine/colour';
import { glowSprite } from '#preview-engine/glow-sprite';
import { createRandom } from '#preview-engine/random';
import { createRaster, packSoft, type Raster } from '#preview-engine/raster';
import type { Stage } from '#preview-engine/stage';

/** Many small particles in the air. Speeds are in units per second, sizes in fractions of the unit. */
export interface Swarm {
  count: number;
  size: [number, number];
  fall: number;
  wind: number;
  sway: number;
  light: boolean;
  /** Whether particles fade in and out instead of staying lit. */
  pulse: boolean;
  shape: 'dot' | 'leaf' | 'streak';
  colours: readonly Colour[];
}

/** Returns twelve sprites of a swarm, from small and far to large and near. */
export function swarmSprites(stage: Stage, swarm: Swarm): Raster[] {
  const random = createRandom(stage.seed ^ 0x5b1);
  const sprites: Raster[] = [];
  for (let index = 0; index < 12; index++) {
    const colour = swarm.colours[index % swarm.colours.length] ?? stage.palette.light;
    const size = stage.unit * (swarm.size[0] + (swarm.size[1] - swarm.size[0]) * (index / 11) ** 2);
    if (swarm.shape === 'streak')
      sprites.push(streakSprite(size, swarm.wind / swarm.fall, colour, 0.16 + 0.3 * (index / 11)));
    else if (swarm.shape === 'leaf') sprites.push(leafSprite(size, colour, random() * Math.PI, 0.35 + random() * 0.4));
    else sprites.push(swarm.light ? glowSprite(size, colour, 0.95) : leafSprite(size, colour, 0, 1));
  }
  return sprites;
}

function leafSprite(radius: number, colour: Colour, angle: number, thin: number): Raster {
  const side = Math.max(3, Math.ceil(radius * 2) + 2);
  const sprite = createRaster(side, side);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const dx = x + 0.5 - side / 2;
      const dy = y + 0.5 - side / 2;
      const u = dx * cos + dy * sin;
      const v = (dy * cos - dx * sin) / thin;
      const cover = Math.max(0, Math.min(1, radius - Math.sqrt(u * u + v * v) + 0.5));
      const shade = 1 - 0.25 * Math.max(0, v / radius);
      if (cover > 0)
        sprite.pixels[y * side + x] = packSoft(
          colour[0] * shade,
          colour[1] * shade,
          colour[2] * shade,
          cover * 0.9,
          0.5,
        );
    }
  }
  return sprite;
}

function streakSprite(length: number, lean: number, colour: Colour, strength: number): Raster {
  const height = Math.max(4, Math.ceil(length));
  const width = Math.max(2, Math.ceil(Math.abs(lean) * height) + 2);
  const sprite = createRaster(width, height);
  for (let y = 0; y < height; y++) {
    const x = lean >= 0 ? y * lean : width - 2 + y * lean;
    const value = strength * Math.sin((Math.PI * (y + 0.5)) / height);
    const x0 = Math.max(0, Math.min(width - 2, Math.floor(x)));
    const part = x - x0;
    sprite.pixels[y * width + x0] = packSoft(colour[0], colour[1], colour[2], value * (1 - part), 0.5);
    sprite.pixels[y * width + x0 + 1] = packSoft(colour[0], colour[1], colour[2], value * part, 0.5);
  }
  return sprite;
}
