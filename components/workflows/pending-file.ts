/** A file that was dropped on one page and is read on the next; lost on reload. */
let pending: File | null = null;

export const handOver = (file: File): void => void (pending = file);

export function takePending(): File | null {
  const file = pending;
  pending = null;
  return file;
}
