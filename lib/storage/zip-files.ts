import type { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import { AppError } from '#lib/errors';
import { storage } from '#lib/storage/store';

/** A file of a zip: one of the store, which is opened when its turn comes, or text. */
export type ZipFile = { name: string; lastModified: Date } & (
  { key: string; bytes: number } | { text: string | AsyncIterable<string> }
);

/** A zip that is written while it is read. What the store has no more when its turn comes is left out. */
export function zipFiles(files: AsyncIterable<ZipFile>): ReadableStream<Uint8Array> {
  const open: Open = { left: false };
  const reader = makeZip(opened(files, open)).getReader();
  // a reader that leaves must not reach the library, which answers it with a rejection that nobody handles
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

/** What is being read, and whether its reader has left. */
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
    // it was asked for when somebody still read
    if (open.left) return void input.destroy();
    open.file = input;
    yield { name, lastModified, input, size: file.bytes };
  }
}

function ifGone(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}
