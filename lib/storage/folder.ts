import type { Stats } from 'node:fs';
import { mkdir, open, opendir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '#lib/errors';

export const statIfThere = (path: string): Promise<Stats | null> => stat(path).catch(nullWhenGone);

export const openIfThere = (path: string): Promise<FileHandle | null> => open(path).catch(nullWhenGone);

/** For `catch`: returns null when the path does not exist, and rethrows other errors. */
export function nullWhenGone(error: unknown): null {
  if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null;
  throw error;
}

/** Creates a folder and syncs its parent, so that the folder survives a power failure. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first) await syncFolder(dirname(first));
}

/** Syncs the entries of a folder to disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; its file systems journal the entry themselves
  if (process.platform === 'win32') return;
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Yields the paths of the files below a folder, skipping subfolders whose names start with a dot. */
export async function* filesBelow(dir: string): AsyncGenerator<string> {
  let entries;
  try {
    entries = await opendir(dir);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  for await (const entry of entries) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}
