import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '#lib/env';
import { log } from '#lib/log';

/** Folder for work in progress; leftovers in it are removed by the sweep. */
export const temporaryFolder = (): string => join(env().DATA_DIR, 'tmp');

/** Creates a folder for work in progress; the caller removes it with `removeTemporaryFolder`. */
export async function makeTemporaryFolder(): Promise<string> {
  await mkdir(temporaryFolder(), { recursive: true, mode: 0o700 });
  return mkdtemp(join(temporaryFolder(), 'work-'));
}

/** Removes a folder and returns whether that succeeded. Never rejects: on failure, the folder is left to the sweep. */
export const removeTemporaryFolder = (folder: string): Promise<boolean> =>
  rm(folder, { recursive: true, force: true }).then(
    () => true,
    (err: unknown) => {
      log().warn({ err }, 'temporary folder not removed; the next sweep tries again');
      return false;
    },
  );

/** Runs `use` with a temporary folder, which is removed afterwards. */
export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder();
  try {
    return await use(folder);
  } finally {
    await removeTemporaryFolder(folder);
  }
}
