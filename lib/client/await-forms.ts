import type { UploadWire } from '#lib/contract/cast-schemas';

type File = Pick<UploadWire, 'url' | 'renditions' | 'peaks'>;

const LOOK_EVERY_MS = 2_000;
/** Smaller forms come within a second or two, or much later. */
const WAIT_MS = 7_000;

/** When files were first seen without smaller forms. */
const missed = new Map<string, number>();

/** How soon a list is to be read again because smaller forms of its files are about to come; false: it is as it will be. */
export function awaitForms(files: readonly File[] = []): number | false {
  const now = Date.now();
  const waiting = files.filter(({ renditions, peaks }) => !renditions && !peaks);
  for (const { url } of waiting) if (!missed.has(url)) missed.set(url, now);
  return waiting.some(({ url }) => now - missed.get(url)! < WAIT_MS) && LOOK_EVERY_MS;
}
