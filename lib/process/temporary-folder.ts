import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '#lib/env';

/** Where work in progress lies; what a crash leaves there is swept. */
export const temporaryFolder = (): string => join(env().DATA_DIR, 'tmp');

/** A fresh folder for work in progress, which its maker removes. */
export async function makeTemporaryFolder(): Promise<string> {
  await mkdir(temporaryFolder(), { recursive: true, mode: 0o700 });
  return mkdtemp(join(temporaryFolder(), 'work-'));
}

/** Runs `use` with a folder that is gone afterwards. */
export async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder();
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
