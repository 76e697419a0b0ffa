import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of all that a stream brings. */
export async function hashOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(source, hash);
  return hash.digest();
}
