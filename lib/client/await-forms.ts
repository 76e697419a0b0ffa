import type { UploadWire } from '#lib/contract/cast-schemas';

type File = Pick<UploadWire, 'url' | 'renditions' | 'peaks'>;

const LOOK_EVERY_MS = 2_000;
/** How long a list polls for the smaller forms of a file. They are ready within a second or two, or much later. */
const WAIT_MS = 7_000;

/** Times at which files, by URL, were first seen without smaller forms. */
const missed = new Map<string, number>();

/** Returns the refetch interval, in milliseconds, of a list whose files will soon have smaller forms, or else false. */
export function awaitForms(files: readonly File[] = []): number | false {
  const now = Date.now();
  const waiting = files.filter(({ renditions, peaks }) => !renditions && !peaks);
  for (const { url } of waiting) if (!missed.has(url)) missed.set(url, now);
  return waiting.some(({ url }) => now - missed.get(url)! < WAIT_MS) && LOOK_EVERY_MS;
}
