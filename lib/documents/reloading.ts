import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Caches a value that is loaded from files, and loads it again when they change. Checks name, size and time of the
 * files at most once in `everyMs`, which also works where change events do not arrive (mounted volumes).
 */
export function reloading<T>(
  files: () => string[],
  load: (previous: T | undefined) => T,
  { everyMs = 1000, isStale = () => false }: { everyMs?: number; isStale?: () => boolean } = {},
): () => T {
  let current: { value: T; seen: string; lookedAt: number } | undefined;
  return () => {
    const now = performance.now();
    const stale = isStale();
    if (current && !stale && now - current.lookedAt < everyMs) return current.value;
    const seen = files().map(stamp).join('\n');
    if (current?.seen === seen && !stale) current.lookedAt = now;
    else current = { value: load(current?.value), seen, lookedAt: now };
    return current.value;
  };
}

/** Returns a string that changes whenever the file does. */
export function stamp(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return `${file} ${stat ? `${stat.mtimeNs} ${stat.size} ${stat.ino}` : 'missing'}`;
}

/** Returns the `.json` files of a folder in a stable order; none when the folder does not exist. */
export function jsonFilesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter(name => name.endsWith('.json') && !name.startsWith('.'))
    .sort()
    .map(name => join(folder, name));
}
