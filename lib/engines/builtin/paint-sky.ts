import { ramp, mix, lighten, type Colour } from '#lib/engines/builtin/colour';
import { createNoise, layeredNoise, smoothstep } from '#lib/engines/builtin/noise';
import { addLight, createRaster, DITHER, drawRaster, packSoft, type Raster } from '#lib/engines/builtin/raster';
import type { Paint, Stage } from '#lib/engines/builtin/stage';
import { between, createRandom } from '#lib/engines/builtin/random';
import { glowSprite } from '#lib/engines/builtin/glow-sprite';
import { enlargeField } from '#lib/engines/builtin/enlarge-field';

const STEPS = 1024;

/** Gradient, the glow around the light, its disc. */
function paintGradient(stage: Stage): Raster {
  const { width, height, palette, light, unit } = stage;
  const sky = createRaster(width, height);
  const colours = ramp(palette.sky, STEPS);
  const reach = unit * (palette.darkness > 0.8 ? 0.75 : 1.15);
  const strength = (light.shown ? 0.85 : 0.4) * stage.hand.bloom * (palette.darkness > 0.8 ? 0.45 : 1);
  const tint = mix(palette.light, palette.sky[3] ?? palette.light, 0.45);
  const falloff = Float32Array.from(
    { length: 513 },
    (_, i) => strength * (0.75 * (1 - i / 512) ** 3 + 0.25 * Math.exp(-i / 20)) * (i < 512 ? 1 : 0),
  );
  for (let y = 0; y < height; y++) {
    const at = Math.min(STEPS - 1, Math.floor((Math.max(0, y) / Math.max(1, stage.horizon)) * (STEPS - 1))) * 3;
    const r = colours[at]!;
    const g = colours[at + 1]!;
    const b = colours[at + 2]!;
    const dy = (y - light.y) * 1.25;
    for (let x = 0; x < width; x++) {
      const dx = x - light.x;
      const distance = Math.sqrt(dx * dx * 0.7 + dy * dy) / reach;
      const glow = distance >= 1 ? 0 : falloff[(distance * 512) | 0]!;
      const d = DITHER[((y & 7) << 3) | (x & 7)]!;
      sky.pixels[y * width + x] = packSoft(
        r + (tint[0] - r) * glow,
        g + (tint[1] - g) * glow,
        b + (tint[2] - b) * glow,
        1,
        d,
      );
    }
  }
  return sky;
}

function paintDisc(stage: Stage, sky: Raster): void {
  const { palette, light, unit } = stage;
  if (!light.shown) return;
  const moon = palette.darkness > 0.6;
  const radius = unit * (moon ? 0.052 : 0.062) * between(createRandom(stage.seed ^ 77), 0.8, 1.5);
  const colour = moon ? mix(palette.light, [255, 252, 240], 0.5) : lighten(palette.light, 0.4);
  addLight(
    sky,
    glowSprite(radius * 5, palette.light, 0.55 * stage.hand.bloom),
    light.x - radius * 5,
    light.y - radius * 5,
  );
  const noise = createNoise(stage.seed ^ 5);
  const disc = createRaster(Math.ceil(radius * 2) + 4, Math.ceil(radius * 2) + 4);
  const centre = disc.width / 2;
  for (let y = 0; y < disc.height; y++) {
    for (let x = 0; x < disc.width; x++) {
      const dx = x + 0.5 - centre;
      const dy = y + 0.5 - centre;
      const distance = Math.sqrt(dx * dx + dy * dy);
      const cover = Math.max(0, Math.min(1, (radius + 1 - distance) / 2));
      if (cover === 0) continue;
      const maria = moon
        ? 1 - 0.1 * smoothstep(0, 0.5, layeredNoise(noise, (dx / radius) * 1.6 + 9, (dy / radius) * 1.6, 3))
        : 1;
      const shade = maria * (moon ? 1 - 0.12 * (distance / radius) ** 4 : 1);
      disc.pixels[y * disc.width + x] = packSoft(colour[0] * shade, colour[1] * shade, colour[2] * shade, cover, 0.5);
    }
  }
  drawRaster(sky, disc, Math.round(light.x - centre), Math.round(light.y - centre));
}

/** Stars, denser and dimmer in bulk, with a faint band across. */
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

/** Clouds in perspective: big overhead, thin streaks at the horizon; lit from the side of the light. */
function paintClouds(stage: Stage, cover: number): Raster {
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

/** Curtains of northern light. */
function paintAurora(stage: Stage): Raster {
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
        // Light laid over as a colour that is as opaque as it is bright: nearly a screen, and quick to draw.
        field[p + 3] = Math.min(255, Math.max(field[p]!, field[p + 1]!, field[p + 2]!));
      }
    }
  }
  return enlargeField(field, w, h, width, Math.ceil(horizon), shrink);
}

/** The sky of a landscape: gradient, light, stars, aurora, drifting clouds. */
export function paintSky(stage: Stage): Paint[] {
  const { reading, palette, random, margin } = stage;
  const { weathers } = reading;
  const sky = paintGradient(stage);
  const starry =
    weathers.has('stars') || weathers.has('aurora') ? 1.6 : palette.darkness > 0.6 ? (palette.darkness - 0.5) * 1.4 : 0;
  if (starry > 0 && !weathers.has('storm') && !weathers.has('fog'))
    paintStars(stage, sky, starry, Math.min(stage.height, stage.horizon));
  paintDisc(stage, sky);
  const paints: Paint[] = [(frame, { pan }) => drawRaster(frame, sky, -margin + Math.round(pan * margin * 0.1), 0)];
  if (weathers.has('aurora')) {
    const aurora = paintAurora(stage);
    paints.push((frame, { seconds, pan }) =>
      drawRaster(
        frame,
        aurora,
        -margin + pan * margin * 0.12 + Math.sin(seconds * 0.5) * 6,
        0,
        0.82 + 0.18 * Math.cos(seconds * 0.9),
      ),
    );
  }
  const calm = random();
  let cover = weathers.has('clear') || weathers.has('stars') || weathers.has('aurora') ? 0 : 0.18 + calm * 0.42;
  if (palette.darkness > 0.8) cover *= 0.6;
  if (weathers.has('clouds')) cover = 0.7;
  if (weathers.has('storm') || weathers.has('rain')) cover = 1.05;
  if (reading.styles.has('minimal') || reading.styles.has('ink') || weathers.has('fog')) cover *= 0.3;
  if (cover > 0.05) {
    const clouds = paintClouds(stage, cover);
    const wind = random() < 0.5 ? -1 : 1;
    paints.push((frame, { seconds, pan }) => {
      const drift = wind * stage.unit * 0.012 * seconds;
      const room = Math.max(0, margin - 1);
      drawRaster(frame, clouds, Math.round(-margin + Math.max(-room, Math.min(room, pan * margin * 0.2 + drift))), 0);
    });
  }
  return paints;
}
