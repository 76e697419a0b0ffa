const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds before each retry of a delivery: about a day in total. */
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

/** Maximum share of a pause that is added or subtracted at random, so that joint failures are not retried together. */
const JITTER = 0.2;

/** Returns the seconds until the next attempt after `tries` attempts; null when the delivery is given up. */
export function pauseAfter(tries: number, chance = Math.random()): number | null {
  const pause = PAUSES[tries - 1];
  return pause === undefined ? null : pause * (1 + JITTER * (2 * chance - 1));
}
