/** From 0 on. */
const SEEDS = 2 ** 32;

/** A seed that is drawn. */
export const drawSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]!;

/** So many seeds in a row; after the last of all comes 0. */
export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => (first + n) % SEEDS);
