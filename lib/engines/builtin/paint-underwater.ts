import { lighten, mix, ramp, toHex, type Colour } from '#lib/engines/builtin/colour';
import { createNoise, createTile, layeredNoise, ridgedNoise } from '#lib/engines/builtin/noise';
import { enlargeField } from '#lib/engines/builtin/enlarge-field';
import { createRaster, DITHER, drawRaster, packSoft, rasterizeSvg } from '#lib/engines/builtin/raster';
import { between, createRandom, pick } from '#lib/engines/builtin/random';
import { paintRidge, traceCrest, type Ridge } from '#lib/engines/builtin/paint-ridges';
import type { Paint, Stage } from '#lib/engines/builtin/stage';

/** Nets of light on water, as a soft layer; `strength` 0..1. */
function paintCaustics(stage: Stage, colour: Colour, strength: number, scale: number): Paint {
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

function paintDepths(stage: Stage, stops: Colour[], rays: number): Paint {
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
      const lift = (i: number) => colours[at + i]! + (stage.palette.light[i as 0]! - colours[at + i]!) * beam;
      ground.pixels[y * width + x] = packSoft(lift(0), lift(1), lift(2), 1, DITHER[((y & 7) << 3) | (x & 7)]!);
    }
  }
  return (frame, { pan }) => drawRaster(frame, ground, -margin + Math.round(pan * margin * 0.15), 0);
}

/** Below the surface: beams of light, rocks, weed and coral, bubbles. */
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

function drawKoi(
  x: number,
  y: number,
  s: number,
  turn: number,
  base: string,
  patch: string,
  dark: string,
  bend: number,
): string {
  const body = `M0-46C12-44 15-22 13-4 11 16 6 30 ${bend * 6} 44 ${-4 + bend * 3} 30-11 16-13-4-15-22-12-44 0-46z`;
  return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn.toFixed(0)}) scale(${s.toFixed(2)})"><path d="${body}" fill="#04121a" opacity=".3" transform="translate(7 10)"/><path d="M${bend * 6} 40q${14 + bend * 10} 14 ${8 + bend * 10} 30-8-8-10-20-4 14-14 20-2-18 10-30z" fill="${base}" opacity=".75"/><path d="M12-22q18 2 22 16-14 0-22-6zM-12-22q-18 2-22 16 14 0 22-6z" fill="${base}" opacity=".7"/><path d="${body}" fill="${base}"/><path d="M-9-40q10-8 18 0 6 12-2 18-12 4-18-4-2-8 2-14zM-4-8q12-6 16 6-2 12-10 14-12-4-6-20zM-2 24q6-2 6 6l-2 8q-6-4-4-14z" fill="${patch}"/><path d="M0-20Q${bend * 2} 10 ${bend * 5} 36" stroke="#fff" stroke-width="2" opacity=".35" fill="none"/><circle cx="-6" cy="-37" r="1.500" fill="${dark}"/><circle cx="6" cy="-37" r="1.500" fill="${dark}"/></g>`;
}

/** A pond from above: koi under lily pads. */
export async function paintPond(stage: Stage): Promise<Paint[]> {
  const { palette, width, height, unit, margin, reading } = stage;
  const random = createRandom(stage.seed ^ 0x40e);
  const green = mix(palette.water, [30, 90, 92], 0.5);
  const paints: Paint[] = [
    paintDepths(
      stage,
      [mix(green, [160, 210, 200], 0.4), green, mix(green, [10, 40, 50], 0.4), mix(green, [6, 22, 34], 0.66)],
      0,
    ),
    paintCaustics(stage, [215, 245, 235], 0.35, 2.2),
  ];
  const koiColour = reading.colourOf.get('koi');
  const patches = koiColour ? [toHex(koiColour)] : ['#e8552a', '#f08a2c', '#d8352a', '#2a2a34', toHex(palette.accent)];
  const aspect = width / height;
  const [w, h] = aspect > 1 ? [200 * aspect, 200] : [200, 200 / aspect];
  const shoal = Array.from({ length: 7 }, (_, i) => {
    const angle = (i / 7) * Math.PI * 2 + random();
    const x = w / 2 + Math.cos(angle) * w * between(random, 0.1, 0.34);
    const y = h / 2 + Math.sin(angle) * h * between(random, 0.12, 0.36);
    return drawKoi(
      x,
      y,
      between(random, 0.42, 0.78),
      (angle * 180) / Math.PI + 180 + between(random, -35, 35),
      random() < 0.75 ? '#f8f2e8' : '#f3b06a',
      pick(random, patches),
      '#1a1210',
      between(random, -1, 1),
    );
  });
  const half = Math.ceil(shoal.length / 2);
  const layers = await Promise.all(
    [shoal.slice(0, half), shoal.slice(half)].map(fish => rasterizeSvg(fish.join(''), [w, h], width, height)),
  );
  layers.forEach((layer, index) =>
    paints.push((frame, { seconds, pan }) =>
      drawRaster(
        frame,
        layer,
        -margin + pan * margin * 0.5 + Math.sin(seconds * 0.8 + index * 2) * unit * 0.022,
        Math.round(Math.cos(seconds * 0.7 + index * 2) * unit * 0.012),
      ),
    ),
  );
  const pad = (x: number, y: number, r: number) =>
    `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${(random() * 360).toFixed(0)})"><circle r="${r}" fill="#04121a" opacity=".28" cx="3" cy="4"/><path d="M0 0L${r} ${-r * 0.16}A${r} ${r} 0 1 1 ${r} ${r * 0.16}z" fill="${pick(random, ['#4f8f52', '#3f7d52', '#6aa25a', '#357050'])}"/>${[60, 110, 160, 210, 260, 310].map(a => `<path d="M0 0L${(Math.cos((a * Math.PI) / 180) * r * 0.85).toFixed(1)} ${(Math.sin((a * Math.PI) / 180) * r * 0.85).toFixed(1)}" stroke="#cfe6b0" stroke-width=".5" opacity=".4"/>`).join('')}</g>`;
  const lily = (x: number, y: number, r: number) =>
    `<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)})">${[0, 45, 90, 135, 180, 225, 270, 315].map(a => `<path transform="rotate(${a})" d="M0 0Q${r * 0.42} ${-r * 0.5} 0 ${-r}Q${-r * 0.42} ${-r * 0.5} 0 0z" fill="#fbd3e0"/>`).join('')}${[22, 82, 142, 202, 262, 322].map(a => `<path transform="rotate(${a}) scale(.66)" d="M0 0Q${r * 0.42} ${-r * 0.5} 0 ${-r}Q${-r * 0.42} ${-r * 0.5} 0 0z" fill="#fff2f6"/>`).join('')}<circle r="${r * 0.22}" fill="#f5c542"/></g>`;
  let leaves = '';
  for (let i = 0; i < 13; i++) {
    const corner = random() < 0.5 ? 0 : 1;
    const x = (corner ? w : 0) + (random() - 0.5) * w * 0.62;
    const y = (random() < 0.5 ? h : 0) + (random() - 0.5) * h * 0.55;
    leaves += pad(x, y, between(random, 11, 25));
    if (random() < 0.3) leaves += lily(x + 4, y + 2, between(random, 9, 14));
  }
  const cover = await rasterizeSvg(leaves, [w, h], width, height);
  paints.push((frame, { seconds, pan }) =>
    drawRaster(frame, cover, -margin + pan * margin * 0.9 + Math.sin(seconds * 0.6) * unit * 0.004, 0),
  );
  return paints;
}
