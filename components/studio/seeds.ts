/** Number of seeds, which start at 0. */
const SEEDS = 2 ** 32;

/** Returns a random seed. */
export const drawSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]!;

/** Returns `count` consecutive seeds; the largest is followed by 0. */
export const seedsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => (first + n) % SEEDS);
