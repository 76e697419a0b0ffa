import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of all that a stream brings. */
export async function hashOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(source, hash);
  return hash.digest();
}

/** SHA-256 of a file on this disk, read in few large pieces. */
export const hashFile = (path: string): Promise<Buffer> =>
  hashOf(createReadStream(path, { highWaterMark: 512 * 1024 }));

/** Passes on what a source brings, and sums it up on the way. */
export async function* summed(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  sum: Hash,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    sum.update(chunk);
    yield chunk;
  }
}
