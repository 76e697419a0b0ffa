import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '#lib/process/temporary-folder';

/** No attempt at a generation takes as long, however long it is worked on. */
const OLD_MS = 2 * 86_400_000;

/** Deletes what killed workers left in the folder for temporary files. */
export async function sweepTemporary(now: Date): Promise<number> {
  const names = await unlessGone(readdir(temporaryFolder()));
  let swept = 0;
  for (const name of names ?? []) {
    const path = join(temporaryFolder(), name);
    const stats = await unlessGone(stat(path));
    if (!stats || now.getTime() - stats.mtimeMs < OLD_MS) continue;
    await rm(path, { recursive: true, force: true });
    swept++;
  }
  return swept;
}

/** Null when nothing is there, as before the first job, or when its maker has just removed it. */
async function unlessGone<T>(look: Promise<T>): Promise<T | null> {
  try {
    return await look;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
