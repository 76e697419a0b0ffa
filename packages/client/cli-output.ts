import { constants } from 'node:fs';
import { access, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './cli-options.ts';

/** Whether the path is a regular file or does not exist. A device or a pipe must not be replaced by a rename. */
const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => true,
  );

/** Throws `UsageError` when no result can be written to the path; `-` is stdout. */
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

/** Writes a stream to a file under a temporary name, and renames the file when it is complete. `-` is stdout. */
export async function writeResult(path: string, body: ReadableStream<Uint8Array>): Promise<void> {
  if (path === '-') return pipeline(body, process.stdout, { end: false });
  if (!(await isFile(path))) return writeFile(path, body);
  const target = await realpath(path).catch(() => path);
  // the process id keeps concurrent runs with the same target apart
  const part = `${target}.${process.pid}.part`;
  try {
    await writeFile(part, body);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
