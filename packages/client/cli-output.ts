import { constants } from 'node:fs';
import { access, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './cli-options.ts';

/** A device, or a pipe that somebody reads, is no file that another one could take the place of. */
const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => true,
  );

/** Throws when no result can be put there; - is the output. */
export async function requireWritable(path: string): Promise<void> {
  if (path === '-') return;
  try {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) throw new Error('It is a folder.');
    if (found) await access(path, constants.W_OK);
    if (await isFile(path)) await access(dirname(path), constants.W_OK);
  } catch (cause) {
    throw new UsageError(`${path} cannot be written.`, { cause });
  }
}

/** Writes what comes to a file, which has its name only when all of it came. */
export async function writeResult(path: string, body: ReadableStream<Uint8Array>): Promise<void> {
  if (path === '-') return pipeline(body, process.stdout, { end: false });
  if (!(await isFile(path))) return writeFile(path, body);
  const target = await realpath(path).catch(() => path);
  // of this run alone: another one may be about to save the same file
  const part = `${target}.${process.pid}.part`;
  try {
    await writeFile(part, body);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
