const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds before each further try of a delivery: about a day in all. */
export const PAUSES = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
] as const;

/** Of a pause, most that is added or taken away by chance, so that what failed together does not come back together. */
const JITTER = 0.2;

/** Seconds until the next try after so many; null when it is given up. */
export function pauseAfter(tries: number, chance = Math.random()): number | null {
  const pause = PAUSES[tries - 1];
  return pause === undefined ? null : pause * (1 + JITTER * (2 * chance - 1));
}
