/** How much a new duration counts against what is known. */
const WEIGHT = 0.2;
const FIRST_GUESS_MS = 5_000;
const known = new Map<string, number>();

/** Milliseconds that a generation of a line takes, as this process has seen of late. */
export const paceOf = (line: string): number => known.get(line) ?? FIRST_GUESS_MS;

export function notePace(line: string, milliseconds: number): void {
  const before = known.get(line);
  known.set(line, before === undefined ? milliseconds : before + (milliseconds - before) * WEIGHT);
}
