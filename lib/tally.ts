/** Counts one more or one fewer of a name, and gives how many there are now; names of which there are none are forgotten. */
export function tally(counts: Map<string, number>, name: string, by: 1 | -1): number {
  const now = (counts.get(name) ?? 0) + by;
  if (now === 0) counts.delete(name);
  else counts.set(name, now);
  return now;
}
