/** Weight of a new duration in the moving average. */
const WEIGHT = 0.2;
const FIRST_GUESS_MS = 5_000;
const known = new Map<string, number>();

/** Returns the recent average duration of a generation of a line in this process, in milliseconds. */
export const paceOf = (line: string): number => known.get(line) ?? FIRST_GUESS_MS;

export function notePace(line: string, milliseconds: number): void {
  const before = known.get(line);
  known.set(line, before === undefined ? milliseconds : before + (milliseconds - before) * WEIGHT);
}
