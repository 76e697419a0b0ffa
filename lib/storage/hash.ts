import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of all that a stream brings. */
export async function hashOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(source, hash);
  return hash.digest();
}

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
