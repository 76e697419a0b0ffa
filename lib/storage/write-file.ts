import { open } from 'node:fs/promises';
import { inParts } from '#lib/storage/in-parts';

/** Size of a write: few large writes are cheaper than many small ones. */
const PART = 1024 * 1024;

/** Writes a source to a new file, which is synced to disk once this resolves. */
export async function writeNewFile(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let writing = Promise.resolve();
  try {
    for await (const part of inParts(source, PART)) {
      // one part is written while the next one is read
      await writing;
      writing = file.writeFile(part);
      // the error is thrown where `writing` is awaited
      writing.catch(() => {});
    }
    await writing;
    await file.sync();
  } finally {
    // the file must stay open until the last write has ended
    await writing.catch(() => {});
    await file.close();
  }
}
