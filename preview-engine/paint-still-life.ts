import { paintBackdrop } from '#preview-engine/paint-backdrop';
import { LIVING } from '#preview-engine/subjects-living';
import { BUILT } from '#preview-engine/subjects-built';
import { mixInk, rounded, shaded } from '#preview-engine/subject-ink';
import { toHex, mix, lighten, type Colour } from '#preview-engine/colour';
import { drawRaster } from '#preview-engine/draw-raster';
import { createTile } from '#preview-engine/noise';
import { createRandom, between, pick, type Random } from '#preview-engine/random';
import { createRaster, DITHER, packSoft, rasterizeSvg } from '#preview-engine/raster';
import type { Paint, Stage } from '#preview-engine/stage';

type Thing = 'fruit' | 'bowl' | 'cup' | 'vase' | 'bottle' | 'flower' | 'candle' | 'mushroom';

/** Words for single fruits and their colours; the first match in the prompt is drawn. */
const FRUITS: readonly [RegExp, readonly [Colour, Colour]][] = [
  [
    /mango|манго|芒果|マンゴー/iu,
    [
      [250, 176, 46],
      [222, 74, 48],
    ],
  ],
  [
    /lemon|zitrone|citron|lim[oó]n|лимон|レモン|柠檬/iu,
    [
      [250, 220, 74],
      [222, 176, 40],
    ],
  ],
  [
    /orange|naranja|オレンジ|橙/iu,
    [
      [250, 156, 40],
      [226, 104, 26],
    ],
  ],
  [
    /pear|birne|poire|pera|груш|梨/iu,
    [
      [196, 200, 84],
      [150, 140, 52],
    ],
  ],
  [
    /plum|pflaume|prune|ciruela|blueberr|слив|梅/iu,
    [
      [112, 70, 150],
      [58, 42, 104],
    ],
  ],
  [
    /lime|kiwi|green apple/iu,
    [
      [140, 190, 70],
      [84, 130, 50],
    ],
  ],
  [
    /peach|pfirsich|pêche|durazno|guava|персик|桃/iu,
    [
      [252, 186, 138],
      [232, 110, 92],
    ],
  ],
  [
    /apple|apfel|pomme|manzana|cherr|яблок|リンゴ|苹果|berry/iu,
    [
      [220, 56, 46],
      [140, 22, 34],
    ],
  ],
];

function drawFruit(
  id: string,
  x: number,
  y: number,
  r: number,
  tones: readonly [Colour, Colour],
  random: Random,
  light: Colour,
): string {
  const body = mix(tones[0], tones[1], random() * 0.7);
  const dark = mix(tones[1], [50, 20, 34], 0.55);
  const turn = between(random, -28, 28).toFixed(0);
  return `<g transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turn})"><defs>${rounded(id, toHex(mix(lighten(tones[0], 0.45), light, 0.3)), toHex(body), toHex(dark))}</defs><ellipse rx="${(r * between(random, 0.98, 1.16)).toFixed(1)}" ry="${r.toFixed(1)}" fill="url(#${id})"/><ellipse cx="${(-r * 0.36).toFixed(1)}" cy="${(-r * 0.42).toFixed(1)}" rx="${(r * 0.24).toFixed(1)}" ry="${(r * 0.13).toFixed(1)}" fill="#fff" opacity=".5" transform="rotate(-30)"/><path d="M0 ${(-r * 0.9).toFixed(1)}q1 ${(-r * 0.26).toFixed(1)} 3 ${(-r * 0.34).toFixed(1)}" stroke="#3c2a1c" stroke-width="1" fill="none"/>${random() < 0.4 ? `<path d="M2 ${(-r * 1.12).toFixed(1)}q${r * 0.5} ${-r * 0.5} ${r * 0.9} ${-r * 0.05}q${-r * 0.5} ${r * 0.3} ${-r * 0.9} ${r * 0.05}z" fill="#4f8040"/>` : ''}</g>`;
}

/** Paints a lit table with the things that the prompt names, in random shapes. */
export async function paintStillLife(stage: Stage): Promise<Paint[]> {
  const { width, height, palette, reading, unit, margin, light } = stage;
  const random = createRandom(stage.seed ^ 0x517);
  const frameWidth = width - 2 * margin;
  const edge = Math.round(height * 0.64);
  const table = createRaster(width, height - edge);
  const grain = createTile(stage.seed ^ 0x7ab, 4, 6);
  const wood = mix(mix(palette.far, [140, 92, 58], 0.4), palette.near, 0.25);
  const shine = mix(wood, palette.light, 0.5);
  for (let y = 0; y < table.height; y++) {
    const t = y / table.height;
    for (let x = 0; x < width; x++) {
      const g = grain[((((y * 900) / unit) & 255) << 8) | (((x * 130) / unit) & 255)]!;
      const dx = (x - light.x) / unit;
      const k = Math.max(0, 0.62 - t * 0.55 - Math.abs(dx) * 0.32) + g * 0.09;
      const lip = y < unit * 0.006 ? 0.25 : 0;
      const part = (i: 0 | 1 | 2) => wood[i] * (1 - t * 0.35) + (shine[i] - wood[i]) * (k + lip);
      table.pixels[y * width + x] = packSoft(part(0), part(1), part(2), 1, DITHER[((y & 7) << 3) | (x & 7)]!);
    }
  }
  const things = reading.subjects.filter((subject): subject is Thing =>
    ['fruit', 'bowl', 'cup', 'vase', 'bottle', 'flower', 'candle', 'mushroom'].includes(subject),
  );
  if (things.length === 0) things.push(...(['bowl', 'fruit', 'bottle'] as const));
  if (things.length === 1 && things[0] !== 'flower') things.push(things[0] === 'fruit' ? 'bowl' : 'fruit');
  const prompt = stage.prompt;
  const fruit = FRUITS.find(([word]) => word.test(prompt))?.[1] ?? pick(random, FRUITS)[1];
  const own = reading.colourOf.get('fruit');
  const tones: readonly [Colour, Colour] = own ? [lighten(own, 0.15), mix(own, [60, 20, 30], 0.35)] : fruit;
  const markup = arrange(stage, things, tones, random);
  const side = Math.round(Math.min(frameWidth * 0.98, height * 0.86));
  const group = await rasterizeSvg(
    light.x > width / 2 ? `<g transform="translate(200 0) scale(-1 1)">${markup}</g>` : markup,
    [200, 200],
    side,
    side,
  );
  const top = Math.round(edge + height * 0.17 - side * 0.88);
  return [
    ...paintBackdrop(stage, 5),
    (frame, { pan }) => drawRaster(frame, table, -margin + pan * margin * 0.5, edge),
    (frame, { pan }) => drawRaster(frame, group, (frameWidth - side) / 2 + pan * margin * 0.7, top),
  ];
}

function arrange(stage: Stage, things: readonly Thing[], tones: readonly [Colour, Colour], random: Random): string {
  const { palette } = stage;
  const foot = 176;
  const ink = (name: string) =>
    mixInk({ ...stage, palette: { ...palette, darkness: palette.darkness * 0.5 } }, name, random);
  const shadow = (x: number, rx: number) =>
    `<ellipse cx="${x + rx * 0.35}" cy="${foot}" rx="${rx * 1.25}" ry="${rx * 0.2}" fill="url(#sh)"/>`;
  let back = '';
  let front = '';
  let id = 0;
  const ball = (x: number, y: number, r: number) => drawFruit(`fr${id++}`, x, y, r, tones, random, palette.light);
  if (things.includes('bottle')) {
    const c = ink('bottle');
    back += `${shadow(146, 14)}<defs>${shaded('bo', c.accentLit, c.dark)}</defs><path d="M140 62h11v26c0 9 12 12 12 28v58q-17 5-35 0v-58c0-16 12-19 12-28z" fill="url(#bo)" opacity=".93"/><path d="M139 60h13v7h-13z" fill="${c.dark}"/><path d="M129 128h34v26q-17 3-34 0z" fill="${c.pale}"/><path d="M133 114q-1 30 1 54" stroke="#fff" stroke-width="2" opacity=".45" fill="none"/>`;
  }
  if (things.includes('vase') || things.includes('flower')) {
    const c = ink(things.includes('vase') ? 'vase' : 'flower');
    const vase = ink('vase');
    const x = things.some(thing => thing === 'bowl' || thing === 'cup') ? 60 : 100;
    if (things.includes('flower'))
      back += `<g transform="translate(${x - 62} 8) scale(1.240)">${LIVING.flower(ink('flower'))}</g>`;
    back += `${shadow(x, 24)}<defs>${shaded('va', vase.pale, c.night > 2 ? c.body : vase.body)}</defs><path d="M${x - 10} 108h20c0 9-3 11-3 16 15 6 21 18 19 32-1 11-6 17-9 20-11 4-23 4-34 0-3-3-8-9-9-20-2-14 4-26 19-32 0-5-3-7-3-16z" fill="url(#va)"/><path d="M${x - 10} 108h20l-1 3h-18z" fill="${vase.dark}" opacity=".4"/><path d="M${x - 22} 150q22 7 46 0l1 6q-24 7-48 0z" fill="${vase.accent}" opacity=".7"/><path d="M${x - 17} 138q-5 12-1 28" stroke="#fff" stroke-width="2.500" opacity=".5" fill="none"/>`;
  }
  if (things.includes('candle'))
    back += `<g transform="translate(112 84) scale(.92)">${BUILT.candle(ink('candle'))}</g>`;
  if (things.includes('mushroom'))
    front += `${shadow(70, 30)}<g transform="translate(30 92) scale(.84)">${LIVING.mushroom(ink('mushroom'))}</g>`;
  if (things.includes('cup')) {
    const c = ink('cup');
    const x = things.includes('bowl') ? 40 : 96;
    front += `${shadow(x, 32)}<defs>${shaded('cu', c.pale, c.accent)}</defs><ellipse cx="${x}" cy="${foot - 2}" rx="36" ry="6.500" fill="url(#cu)"/><path d="M${x + 24} ${foot - 40}q20-4 18 12-2 14-22 14l2-6q12 0 13-9 1-8-11-6z" fill="${c.accent}"/><path d="M${x - 27} ${foot - 46}h54q1 34-16 43h-22q-17-9-16-43z" fill="url(#cu)"/><ellipse cx="${x}" cy="${foot - 46}" rx="27" ry="5.500" fill="${c.pale}"/><ellipse cx="${x}" cy="${foot - 45.5}" rx="24" ry="4.200" fill="#4a2a18"/><path d="M${x - 8} ${foot - 56}q-7-9 0-17t0-17M${x + 7} ${foot - 56}q-6-9 0-16t0-15" stroke="#fff" stroke-width="2.600" opacity=".3" fill="none" stroke-linecap="round"/>`;
  }
  if (things.includes('bowl')) {
    const c = ink('bowl');
    front += `${shadow(96, 54)}<defs>${shaded('bw', c.pale, c.body)}</defs>`;
    const spots: [number, number][] = [
      [70, 120],
      [122, 120],
      [96, 112],
      [56, 126],
      [137, 127],
      [83, 124],
      [110, 125],
      [96, 126],
    ];
    for (const [x, y] of spots)
      front += ball(x + between(random, -3, 3), y + between(random, -3, 2), between(random, 15, 19));
    front += `<path d="M38 128q58 15 116 0c0 26-20 44-38 47q-20 4-40 0c-18-3-38-21-38-47z" fill="url(#bw)"/><path d="M38 128q58 15 116 0l-.5 5q-58 14-115 0z" fill="${c.accent}" opacity=".75"/><path d="M52 142q6 20 20 27" stroke="#fff" stroke-width="3" opacity=".4" fill="none" stroke-linecap="round"/>`;
    front += shadow(172, 15) + ball(170, 163, 15);
    if (random() < 0.7) front += shadow(26, 13) + ball(24, 165, 13);
  } else if (things.includes('fruit')) {
    const places: [number, number][] = [
      [70, 20],
      [108, 22],
      [90, 17],
      [142, 19],
      [44, 16],
    ];
    for (const [x, r] of places) front += shadow(x, r) + ball(x, foot - r, r);
  }
  return `<defs><radialGradient id="sh"><stop offset="0" stop-color="#08060a" stop-opacity=".6"/><stop offset="1" stop-color="#08060a" stop-opacity="0"/></radialGradient></defs>${back}${front}`;
}
