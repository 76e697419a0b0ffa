import type { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import { AppError } from '#lib/errors';
import { storage } from '#lib/storage/store';

/** A file of a zip archive: a stored object, which is opened when its turn comes, or a text. */
export type ZipFile = { name: string; lastModified: Date } & (
  { key: string; bytes: number } | { text: string | AsyncIterable<string> }
);

/** Streams a zip archive. Files that the store no longer has when their turn comes are left out. */
export function zipFiles(files: AsyncIterable<ZipFile>): ReadableStream<Uint8Array> {
  const open: Open = { left: false };
  const reader = makeZip(opened(files, open)).getReader();
  // cancellation must not reach the library, where it causes an unhandled rejection
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      open.left = true;
      open.file?.destroy();
    },
  });
}

/** The file that is being read, and whether the reader of the archive has left. */
interface Open {
  file?: Readable;
  left: boolean;
}

async function* opened(files: AsyncIterable<ZipFile>, open: Open) {
  for await (const { name, lastModified, ...file } of files) {
    if ('text' in file) {
      yield { name, lastModified, input: file.text };
      continue;
    }
    const input = await storage().get(file.key).catch(ifGone);
    if (!input) continue;
    // the reader left while the file was being opened
    if (open.left) return void input.destroy();
    open.file = input;
    yield { name, lastModified, input, size: file.bytes };
  }
}

function ifGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
