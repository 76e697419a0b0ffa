import { mix, lighten, ramp } from '#preview-engine/colour';
import { drawRaster, addLight } from '#preview-engine/draw-raster';
import { glowSprite } from '#preview-engine/glow-sprite';
import { createNoise, layeredNoise, smoothstep } from '#preview-engine/noise';
import { paintAurora } from '#preview-engine/paint-aurora';
import { paintClouds } from '#preview-engine/paint-clouds';
import { paintStars } from '#preview-engine/paint-stars';
import { createRandom, between } from '#preview-engine/random';
import { createRaster, DITHER, packSoft, type Raster } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

const STEPS = 1024;

/** Paints the gradient of the sky, the glow around the light, and the disc of the light. */
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

/** Paints the sky of a landscape: gradient, light, stars, aurora and drifting clouds. */
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
