/** Increments or decrements the count of a name and returns the new count. Names with a count of 0 are removed. */
export function tally(counts: Map<string, number>, name: string, by: 1 | -1): number {
  const now = (counts.get(name) ?? 0) + by;
  if (now === 0) counts.delete(name);
  else counts.set(name, now);
  return now;
}
