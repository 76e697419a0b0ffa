import { lighten, mix, type Colour } from '#lib/engines/builtin/colour';
import { createNoise, layeredNoise, smoothstep } from '#lib/engines/builtin/noise';
import { enlargeField } from '#lib/engines/builtin/enlarge-field';
import { glowSprite } from '#lib/engines/builtin/glow-sprite';
import { addLight, createRaster, drawRaster, packSoft, type Raster } from '#lib/engines/builtin/raster';
import { createRandom } from '#lib/engines/builtin/random';
import type { Paint, Stage } from '#lib/engines/builtin/stage';

/** Small things in the air. Speeds are in units a second; sizes in parts of the unit. */
interface Swarm {
  count: number;
  size: [number, number];
  fall: number;
  wind: number;
  sway: number;
  light: boolean;
  /** Fades in and out instead of staying lit. */
  pulse: boolean;
  shape: 'dot' | 'leaf' | 'streak';
  colours: readonly Colour[];
}

/** Fog banks: a wide soft field that drifts. */
function paintFog(stage: Stage, density: number): Paint {
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
    // Fog has no edges that could stutter: whole pixels are enough, and quicker.
    drawRaster(frame, fog, Math.round(-margin + pan * margin * 0.6 - drift), 0, weather);
  };
}

function makeSprites(stage: Stage, swarm: Swarm): Raster[] {
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

function paintSwarm(stage: Stage, swarm: Swarm, salt: number): Paint {
  const random = createRandom(stage.seed ^ salt);
  const sprites = makeSprites(stage, swarm);
  const bits = Array.from({ length: swarm.count }, () => ({
    x: random(),
    y: random(),
    kind: Math.floor(random() * sprites.length),
    phase: random() * 6.283,
  }));
  const { unit, margin } = stage;
  return (frame, { seconds, pan, weather }) => {
    if (weather <= 0) return;
    const spanX = frame.width + unit * 0.1;
    const spanY = frame.height + unit * 0.1;
    for (const bit of bits) {
      const sprite = sprites[bit.kind]!;
      const near = 0.5 + bit.kind / sprites.length;
      const across =
        bit.x * spanX +
        seconds * swarm.wind * unit * near +
        pan * margin * near * 1.2 +
        Math.sin(seconds * 1.3 + bit.phase) * swarm.sway * unit;
      const down =
        bit.y * spanY +
        seconds * swarm.fall * unit * near +
        Math.cos(seconds * 0.9 + bit.phase * 1.7) * swarm.sway * unit * 0.6;
      const x = across - Math.floor(across / spanX) * spanX - unit * 0.05;
      const y = down - Math.floor(down / spanY) * spanY - unit * 0.05;
      const glow = weather * (swarm.pulse ? 0.55 + 0.45 * Math.sin(seconds * 2.1 + bit.phase) : 1);
      if (swarm.light) addLight(frame, sprite, x, y, glow);
      else drawRaster(frame, sprite, Math.round(x), Math.round(y), weather);
    }
  };
}

/** Everything in the air that the words ask for, in front of the scene. */
export function paintWeather(stage: Stage): Paint[] {
  const { weathers, settings } = stage.reading;
  const { palette } = stage;
  const paints: Paint[] = [];
  if (weathers.has('fog')) paints.push(paintFog(stage, 0.62));
  else if (weathers.has('rain') || weathers.has('storm')) paints.push(paintFog(stage, 0.28));
  const white = lighten(palette.haze, 0.7);
  const swarm = (part: Partial<Swarm>): Swarm => ({
    count: 90,
    size: [0.001, 0.005],
    fall: 0.05,
    wind: 0.02,
    sway: 0.01,
    light: false,
    pulse: false,
    shape: 'dot',
    colours: [white],
    ...part,
  });
  if (weathers.has('snow') && !settings.includes('space'))
    paints.push(
      paintSwarm(stage, swarm({ count: 260, size: [0.0012, 0.006], fall: 0.11, wind: 0.03, sway: 0.012 }), 1),
    );
  if (weathers.has('rain') || (weathers.has('storm') && !weathers.has('snow')))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 420,
          size: [0.03, 0.09],
          fall: 1.5,
          wind: -0.22,
          sway: 0,
          shape: 'streak',
          colours: [white, lighten(palette.sky[3]!, 0.4)],
        }),
        2,
      ),
    );
  if (weathers.has('petals'))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 80,
          size: [0.003, 0.009],
          fall: 0.06,
          wind: 0.05,
          sway: 0.03,
          shape: 'leaf',
          colours: [
            [255, 214, 226],
            [250, 182, 205],
            [255, 236, 240],
          ],
        }),
        3,
      ),
    );
  if (weathers.has('leaves'))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 55,
          size: [0.004, 0.01],
          fall: 0.07,
          wind: 0.06,
          sway: 0.04,
          shape: 'leaf',
          colours: [
            [214, 92, 30],
            [236, 158, 44],
            [168, 52, 28],
            [120, 64, 30],
          ],
        }),
        4,
      ),
    );
  if (weathers.has('fireflies'))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 95,
          size: [0.01, 0.032],
          fall: -0.008,
          wind: 0.006,
          sway: 0.03,
          light: true,
          pulse: true,
          colours: [[255, 236, 140], [220, 255, 150], palette.second],
        }),
        5,
      ),
    );
  if (weathers.has('embers'))
    paints.push(
      paintSwarm(
        stage,
        swarm({
          count: 110,
          size: [0.003, 0.011],
          fall: -0.13,
          wind: 0.03,
          sway: 0.02,
          light: true,
          pulse: true,
          colours: [
            [255, 190, 90],
            [255, 120, 50],
          ],
        }),
        6,
      ),
    );
  return paints;
}
