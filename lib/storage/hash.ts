import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** Returns the SHA-256 of a stream. */
export async function hashOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(source, hash);
  return hash.digest();
}

/** Returns the SHA-256 of a local file, read in large chunks. */
export const hashFile = (path: string): Promise<Buffer> =>
  hashOf(createReadStream(path, { highWaterMark: 512 * 1024 }));

/** Passes the chunks of a source through, and adds them to a hash. */
export async function* summed(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sum: Hash,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    sum.update(chunk);
    yield chunk;
  }
}
