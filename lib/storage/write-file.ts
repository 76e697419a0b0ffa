import { open } from 'node:fs/promises';
import { inParts } from '#lib/storage/in-parts';

/** Few large writes: a write costs more than its bytes. */
const PART = 1024 * 1024;

/** Writes what a source brings to a new file, which is on disk once this resolves. */
export async function writeNewFile(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  let writing = Promise.resolve();
  try {
    for await (const part of inParts(source, PART)) {
      // one part goes to the disk while the next one comes in
      await writing;
      writing = file.writeFile(part);
      // it is waited for with the next part
      writing.catch(() => {});
    }
    await writing;
    await file.sync();
  } finally {
    // a write must not outlive its file
    await writing.catch(() => {});
    await file.close();
  }
}
