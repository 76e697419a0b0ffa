import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '#lib/env';
import { log } from '#lib/log';

/** Where work in progress lies; what is left there is swept. */
export const temporaryFolder = (): string => join(env().DATA_DIR, 'tmp');

/** A fresh folder for work in progress, which its maker removes with `removeTemporaryFolder`. */
export async function makeTemporaryFolder(): Promise<string> {
  await mkdir(temporaryFolder(), { recursive: true, mode: 0o700 });
  return mkdtemp(join(temporaryFolder(), 'work-'));
}

/** Whether it is gone. Never rejects: what cannot be removed now, as without a descriptor for it, is left to the sweep. */
export const removeTemporaryFolder = (folder: string): Promise<boolean> =>
  rm(folder, { recursive: true, force: true }).then(
    () => true,
    (err: unknown) => {
      log().warn({ err }, 'a temporary folder waits for the next sweep');
      return false;
    },
  );

/** Runs `use` with a folder that is gone afterwards. */
export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder();
  try {
    return await use(folder);
  } finally {
    await removeTemporaryFolder(folder);
  }
}
