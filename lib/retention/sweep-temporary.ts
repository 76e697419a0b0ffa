import { readdir, rm, stat } from 'node:fs/promises';
import { temporaryFolder } from '#lib/process/temporary-folder';
import { join } from 'node:path';

/** No attempt at a generation takes as long, whatever GENERATION_TIMEOUT says. */
const OLD_MS = 2 * 86_400_000;

/** Deletes what killed workers left in the folder for temporary files. */
export async function sweepTemporary(now: Date): Promise<number> {
  const names = await readdir(temporaryFolder()).catch(() => []);
  let swept = 0;
  for (const name of names) {
    const path = join(temporaryFolder(), name);
    const stats = await stat(path).catch(() => null);
    if (!stats || now.getTime() - stats.mtimeMs < OLD_MS) continue;
    await rm(path, { recursive: true, force: true });
    swept++;
  }
  return swept;
}
