import { toHex, mix, lighten } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { paintCaustics, paintDepths } from '#preview-engine/paint-depths';
import { paintRidge, traceCrest, type Ridge } from '#preview-engine/paint-ridges';
import { createRandom, between, pick } from '#preview-engine/random';
import { rasterizeSvg } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

/** Paints an underwater scene: beams of light, rocks, seaweed, coral and bubbles. */
export async function paintUnderwater(stage: Stage): Promise<Paint[]> {
  const { palette, width, height, unit, margin } = stage;
  const random = createRandom(stage.seed ^ 0x5ea);
  const blue = mix(palette.water, [20, 110, 150], 0.45);
  const stops = [
    mix(blue, [190, 240, 240], 0.6),
    mix(blue, [90, 190, 210], 0.35),
    blue,
    mix(blue, [6, 20, 50], 0.55),
    mix(blue, [3, 8, 28], 0.82),
  ];
  const below: Stage = {
    ...stage,
    palette: {
      ...palette,
      haze: mix(blue, [120, 200, 215], 0.2),
      far: mix(blue, [8, 40, 70], 0.4),
      near: mix(blue, [4, 12, 30], 0.85),
      light: mix(palette.light, [170, 240, 230], 0.6),
      darkness: 0.6,
    },
  };
  const paints: Paint[] = [paintDepths({ ...stage, light: { ...stage.light } }, stops, 0.55)];
  for (const [near, crest, relief] of [
    [0.25, 0.8, 0.16],
    [0.6, 0.9, 0.12],
  ] as const) {
    const ridge: Ridge = {
      terrain: 'hills',
      crest: height * crest,
      relief: unit * relief,
      near,
      snow: 0,
      seed: stage.seed ^ Math.round(crest * 1000),
    };
    paints.push(paintRidge(below, ridge, traceCrest(below, ridge), height));
  }
  const weed: string[] = [];
  const tones = [
    palette.accent,
    palette.second,
    lighten(palette.accent, 0.25),
    mix(blue, [60, 150, 90], 0.5),
    mix(blue, [40, 120, 110], 0.5),
  ].map(colour => toHex(mix(colour, blue, 0.3)));
  for (let i = 0; i < 26; i++) {
    const x = random() * 200;
    const off = Math.abs(x - 100) / 100;
    const tall = between(random, 8, 26) * (0.5 + off);
    const tone = pick(random, tones);
    if (random() < 0.5)
      weed.push(
        `<path d="M${x} 104Q${x + 5} ${100 - tall * 0.5} ${x - 2} ${100 - tall}Q${x - 7} ${100 - tall * 0.5} ${x - 3} 104z" fill="${tone}" opacity=".85"/>`,
      );
    else
      for (let b = -3; b <= 3; b++)
        weed.push(
          `<path d="M${x} 102q${b * 1.5} ${-tall * 0.3} ${b * 2.2} ${(-tall * (0.62 - Math.abs(b) * 0.07)).toFixed(1)}" stroke="${tone}" stroke-width="1.700" stroke-linecap="round" fill="none"/>`,
        );
  }
  const bubbles = Array.from(
    { length: 26 },
    () =>
      `<circle cx="${(random() * 200).toFixed(1)}" cy="${(random() * 90).toFixed(1)}" r="${between(random, 0.25, 1.3).toFixed(2)}" fill="#fff" fill-opacity=".16" stroke="#fff" stroke-opacity=".5" stroke-width=".15"/>`,
  );
  const reef = await rasterizeSvg(weed.join(''), [200, 100], width, Math.round(unit * 0.62));
  const air = await rasterizeSvg(bubbles.join(''), [200, 100], width, height);
  paints.push((frame, { seconds, pan }) =>
    drawRaster(frame, reef, -margin + pan * margin + Math.sin(seconds) * unit * 0.003, height - reef.height),
  );
  paints.push(paintCaustics(stage, [200, 250, 245], 0.4, 2.6));
  paints.push((frame, { seconds, pan }) => {
    const rise = Math.round((seconds * height * 0.09) % height);
    drawRaster(frame, air, -margin + pan * margin * 0.8, -rise);
    drawRaster(frame, air, -margin + pan * margin * 0.8, height - rise);
  });
  return paints;
}
