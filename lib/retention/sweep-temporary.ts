import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '#lib/process/temporary-folder';
import { nullWhenGone, statIfThere } from '#lib/storage/folder';

/** No attempt at a generation takes as long, however long it is worked on; one that waits for a store says that it does. */
const OLD_MS = 2 * 86_400_000;

/** Deletes what killed workers left in the folder for temporary files. */
export async function sweepTemporary(now: Date): Promise<number> {
  // there is none before the first job, and what is in it may just be removed by its maker
  const names = await readdir(temporaryFolder()).catch(nullWhenGone);
  let swept = 0;
  for (const name of names ?? []) {
    const path = join(temporaryFolder(), name);
    const stats = await statIfThere(path);
    if (!stats || now.getTime() - stats.mtimeMs < OLD_MS) continue;
    if (await removeTemporaryFolder(path)) swept++;
  }
  return swept;
}
