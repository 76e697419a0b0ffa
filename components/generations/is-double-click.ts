/** A second press within this time is part of a double click. */
const SOON_MS = 600;

let last = { act: '', at: -Infinity };

/** Whether a press of an act that costs gems is the second of a double click. */
export function isDoubleClick(act: string): boolean {
  const at = performance.now();
  if (act === last.act && at - last.at < SOON_MS) return true;
  last = { act, at };
  return false;
}
