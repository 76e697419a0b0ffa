import { fromHex, lighten, mix, tintColour, turnHue, type Colour } from '#preview-engine/colour';
import type { Reading } from '#preview-engine/read-prompt';
import { between, pick, type Random } from '#preview-engine/random';

/** The colours of an image. */
export interface Palette {
  /** Colours of the sky, from the top to the horizon. */
  sky: Colour[];
  /** Colour of the sun or moon and of its light. */
  light: Colour;
  /** Colour into which distance fades. */
  haze: Colour;
  far: Colour;
  near: Colour;
  water: Colour;
  cloud: Colour;
  accent: Colour;
  second: Colour;
  /** From 0 (day) to 1 (deep night); controls windows, stars and lamps. */
  darkness: number;
}

/** Palettes by mood: sky (4 stops) | light | haze | far | near | water | cloud | accent | second | darkness. */
const MOODS = {
  dawn: '#4a6a9c #8f9cc0 #e8b7a8 #ffdfb8 | #fff0c8 | #f0c9b4 | #8a8fb0 | #232c48 | #6d8db0 | #ffd9c4 | #f2795c | #ffe3a1 | 0.25',
  day: '#2f74c4 #5b9fe0 #9fcdf0 #e2f1f4 | #fffbe0 | #cfe4ee | #7fa3bd | #22402f | #2f7fae | #ffffff | #e5533d | #ffd24d | 0',
  golden:
    '#5f86b0 #b9b8a8 #f6cf8a #ffe9b0 | #ffe9a8 | #f6d79c | #b08a62 | #33281c | #7f8f8a | #fff0cc | #d9552b | #ffcf5c | 0.1',
  sunset:
    '#2b3566 #8a4a80 #ee6f52 #ffc66e | #ffe2a0 | #f29a6c | #7a4668 | #1b1428 | #6a4a72 | #ff9f78 | #ff6b4a | #ffd071 | 0.45',
  dusk: '#131a3e #343a78 #8a5a92 #f09a80 | #ffd0a0 | #a0749a | #4d4a80 | #0d1024 | #2f3a6e | #b57aa0 | #ff8a5c | #ffd68a | 0.7',
  night:
    '#050a1c #0b1738 #17305c #2c5078 | #e6efff | #24446a | #1c3458 | #04070f | #0f2746 | #3a5a86 | #ffb35c | #8fd0ff | 1',
  storm:
    '#20262e #3b454f #66737a #98a29c | #e8efe4 | #7d8a8c | #4c585e | #12171a | #33444a | #7f8b90 | #d9a441 | #cfe0e6 | 0.45',
  fog: '#a9b6bd #bfc9cc #d3d9d8 #e2e4e0 | #fffaf0 | #d5dbda | #96a4a8 | #26302f | #a3b2b6 | #eef0ee | #c4603c | #e8d9b4 | 0.12',
  autumn:
    '#6f95b5 #b3c0bd #efd5a2 #fbe6bd | #fff0c0 | #ecc98e | #a8724a | #3a1f14 | #6d8287 | #fff4de | #d24a1c | #f0a02c | 0.08',
  spring:
    '#7fb6e0 #aed3ea #e4e4ea #fde6e6 | #fffbe8 | #f3dfe4 | #8fb3a0 | #2f4a34 | #7cb3bd | #ffffff | #f28cb0 | #ffd9e4 | 0',
  winter:
    '#5f85ad #93b3cf #c9dae6 #f2ece6 | #fff6e4 | #dfe8ee | #8ba6bf | #2a3d52 | #7ba0b8 | #f7fafc | #d8503c | #ffd9a0 | 0.1',
  neon: '#0a0620 #1d0f4a #57208a #d63a9c | #ff9ae0 | #4a2a8a | #2a1a60 | #07040f | #241258 | #7a35a8 | #ff2f92 | #22e6ff | 0.95',
  pastel:
    '#a9c4ec #cbcdf2 #f2d3e4 #ffe9d6 | #fffaf0 | #f4e0ea | #b9b3d8 | #6a6f9c | #b0d2e2 | #fff7fa | #f79ab0 | #ffe0a3 | 0.02',
  ocean:
    '#1a5f9e #3a8ec4 #86c5dc #d8f0ee | #fffbe6 | #b4dce4 | #4f8fae | #0f2f44 | #0f6a94 | #fafeff | #f2694b | #ffd98a | 0',
  desert:
    '#3f86c0 #8fb9cf #f0d3a4 #fbe2b8 | #fff3d0 | #f0cfa0 | #d08a54 | #6a3220 | #5f9a9c | #fff3e2 | #b8402a | #f2c068 | 0.03',
  space:
    '#03040c #080a20 #120f34 #1c1440 | #fff2dc | #2a2460 | #241c50 | #020207 | #141a44 | #6a4aa8 | #ff7a5c | #6ad4ff | 1',
  noir: '#16171a #35373b #6a6d72 #b8babc | #ffffff | #84878b | #4a4c50 | #060607 | #3a3c40 | #a0a2a6 | #e8e8e8 | #d0d2d4 | 0.6',
  ink: '#f1ede2 #f3efe5 #f5f1e8 #f7f3ea | #c8402c | #f0ece1 | #a5a7a4 | #15171a | #dcdad0 | #ffffff | #c03a28 | #6a6c6a | 0',
  vintage:
    '#8a9a8e #b8b696 #e0cc98 #eedcb0 | #fff0c8 | #dcc794 | #94835e | #33261a | #84907c | #f2e6c8 | #b5502e | #d9a54c | 0.1',
  forest:
    '#7fa8a8 #a9c6b4 #dbe4c4 #f0f0d4 | #fffbd8 | #c6d6b8 | #5f8a72 | #122a1e | #4d8078 | #f6f8ec | #e2703a | #f2d878 | 0.05',
} as const;

type Mood = keyof typeof MOODS;

function parseMood(mood: Mood): Palette {
  const parts = MOODS[mood].split(' | ');
  const colour = (index: number) => fromHex(parts[index] ?? '#000000');
  return {
    sky: (parts[0] ?? '').split(' ').map(fromHex),
    light: colour(1),
    haze: colour(2),
    far: colour(3),
    near: colour(4),
    water: colour(5),
    cloud: colour(6),
    accent: colour(7),
    second: colour(8),
    darkness: Number(parts[9]),
  };
}

function mapPalette(palette: Palette, change: (colour: Colour) => Colour): Palette {
  return {
    sky: palette.sky.map(change),
    light: change(palette.light),
    haze: change(palette.haze),
    far: change(palette.far),
    near: change(palette.near),
    water: change(palette.water),
    cloud: change(palette.cloud),
    accent: change(palette.accent),
    second: change(palette.second),
    darkness: palette.darkness,
  };
}

function blend(a: Palette, b: Palette, amount: number): Palette {
  const two = (key: Exclude<keyof Palette, 'sky' | 'darkness'>) => mix(a[key], b[key], amount);
  return {
    sky: a.sky.map((colour, index) => mix(colour, b.sky[index] ?? colour, amount)),
    light: two('light'),
    haze: two('haze'),
    far: two('far'),
    near: two('near'),
    water: two('water'),
    cloud: two('cloud'),
    accent: two('accent'),
    second: two('second'),
    darkness: a.darkness + (b.darkness - a.darkness) * amount,
  };
}

/** Returns the moods that fit, in order: the palette is that of the first, blended with a little of the second. */
function findMoods(reading: Reading, random: Random): Mood[] {
  const { styles, weathers, settings, times } = reading;
  const moods: Mood[] = [];
  if (styles.has('ink')) moods.push('ink');
  if (styles.has('noir')) moods.push('noir');
  if (styles.has('neon')) moods.push('neon');
  if (
    settings.includes('space') ||
    reading.subjects.some(subject => subject === 'spaceship' || subject === 'planet' || subject === 'rocket')
  )
    moods.push('space');
  moods.push(...times);
  if (
    (weathers.has('aurora') || weathers.has('stars') || weathers.has('moon') || weathers.has('fireflies')) &&
    times.length === 0
  )
    moods.push('night');
  if (weathers.has('storm')) moods.push('storm');
  if (weathers.has('embers') && times.length === 0) moods.push('sunset');
  if (weathers.has('leaves')) moods.push('autumn');
  if (weathers.has('snow')) moods.push('winter');
  if (weathers.has('petals')) moods.push('spring');
  if (styles.has('pastel')) moods.push('pastel');
  if (styles.has('vintage')) moods.push('vintage');
  if (weathers.has('rain')) moods.push('storm');
  if (weathers.has('fog')) moods.push('fog');
  if (settings.includes('desert') || reading.subjects.includes('camel')) moods.push('desert');
  if (settings.includes('forest')) moods.push('forest');
  if (settings.includes('sea') || settings.includes('underwater')) moods.push('ocean');
  if (moods.length === 0)
    moods.push(pick(random, ['golden', 'day', 'sunset', 'dawn', 'dusk', 'ocean', 'pastel'] as const));
  return moods;
}

/** Chooses the colours of an image by its prompt. `random` and the `hand` of the architecture vary them a little. */
export function choosePalette(reading: Reading, random: Random, hand: { warmth: number; chroma: number }): Palette {
  const [first, second] = findMoods(reading, random);
  let palette = parseMood(first ?? 'day');
  if (second && second !== first)
    palette = blend(
      palette,
      parseMood(second),
      first === 'space' || first === 'night' || first === 'neon' ? 0.13 : 0.3,
    );
  const [tint, other] = reading.colours;
  const drift =
    (random() - 0.5) * 0.3 + (reading.unknown ? ((reading.unknown % 1000) / 1000 - 0.5) * (tint ? 0.2 : 0.7) : 0);
  const still = first === 'ink' || first === 'noir';
  if (!still)
    palette = mapPalette(palette, colour => turnHue(colour, drift, between(random, 0.95, 1.12) * hand.chroma));
  if (tint) {
    const strength = still ? 0.25 : 0.62;
    // the sky is tinted less than the rest: green hills do not have a green sky
    const { sky } = palette;
    palette = mapPalette(palette, colour => tintColour(colour, tint, strength));
    palette.sky = sky.map(colour => tintColour(colour, tint, strength * 0.5));
    palette.accent = mix(palette.accent, tint, 0.8);
    palette.second = other ? mix(palette.second, other, 0.8) : lighten(palette.second, 0.1);
    if (other)
      palette.sky = palette.sky.map((colour, index) => tintColour(colour, other, (index / palette.sky.length) * 0.55));
  }
  if (hand.warmth !== 0 && !still) {
    const warm: Colour = hand.warmth > 0 ? [255, 190, 120] : [120, 170, 255];
    palette = mapPalette(palette, colour => mix(colour, warm, Math.abs(hand.warmth)));
  }
  return palette;
}
