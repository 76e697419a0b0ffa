/** Colours of the fruit that have drawings. */
const FRUITS = {
  mango: '#eda12f',
  kiwi: '#86a63b',
  blueberry: '#5268b4',
  guava: '#ea7d7c',
  cherry: '#c2202e',
  raspberry: '#cf3a78',
  berry: '#e2453c',
  melon: '#efa24f',
  plum: '#7c4a8f',
  lemon: '#e3b31f',
} as const;
export type Fruit = keyof typeof FRUITS;

export type Blossom = { petals: number; shape: 'round' | 'notched' | 'pointed'; petal: string; deep: string };

/** `color` represents the architecture in charts, and is visible on light and dark backgrounds. */
type Identity = { color: string } & ({ fruit: Fruit } | { blossom: Blossom });

const HUES = [
  { petal: '#f2a7b8', deep: '#d0607f' },
  { petal: '#a9c4ea', deep: '#5d84c4' },
  { petal: '#f3c9a2', deep: '#d98a4a' },
  { petal: '#c9b3e6', deep: '#8c6cc0' },
  { petal: '#a8d8c4', deep: '#4f9d80' },
  { petal: '#f0b49c', deep: '#cf6a4a' },
  { petal: '#e6d68e', deep: '#b39a2e' },
  { petal: '#9fd3de', deep: '#3f93a6' },
] as const;
const SHAPES = ['round', 'notched', 'pointed'] as const;

/**
 * Derives the look of an architecture from its id alone, so that new architectures need no drawing: an id that contains
 * the name of a fruit gives that fruit, any other id a blossom whose petals and hue follow from a hash.
 */
export function architectureIdentity(id: string): Identity {
  const fruit = id.split(/[^a-z]+/).find(word => Object.hasOwn(FRUITS, word)) as Fruit | undefined;
  if (fruit) return { fruit, color: FRUITS[fruit] };
  const seed = hash(id);
  const hue = HUES[seed % HUES.length] ?? HUES[0];
  return {
    color: hue.deep,
    blossom: { ...hue, petals: 5 + ((seed >>> 8) % 4), shape: SHAPES[(seed >>> 16) % SHAPES.length] ?? 'round' },
  };
}

/** FNV-1a with the finaliser of MurmurHash3. The start value makes blossoms of the bundled catalog differ in hue. */
function hash(text: string): number {
  let h = 0x811c9df1;
  for (const char of text) h = Math.imul(h ^ (char.codePointAt(0) ?? 0), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
