import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '#lib/process/temporary-folder';
import { nullWhenGone, statIfThere } from '#lib/storage/folder';

/** Longer than any attempt at a generation; a worker that waits for a store renews the time of its folder. */
const OLD_MS = 2 * 86_400_000;

/** Deletes what killed workers left in the temporary folder. Returns the number of folders deleted. */
export async function sweepTemporary(now: Date): Promise<number> {
  // the folder does not exist before the first job, and its entries may be removed concurrently by their makers
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
