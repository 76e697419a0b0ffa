import { setTimeout as pause } from 'node:timers/promises';
import { env } from '#lib/env';
import { Pace } from '#lib/http/pace';
import { overLimit } from '#lib/limits';
import { singleton } from '#lib/singleton';

const NAME = 'LIMIT_BODY_BYTES_PER_ADDRESS';
/** Maximum seconds that a body is delayed: half the time that it has to arrive. */
const longest = () => env().LIMIT_BODY_SECONDS / 2;

export const bodyPace = () => singleton('http.bodies', () => new Pace(NAME, longest() * 1000));

export const tooFast = () =>
  overLimit(NAME, 'Too many bytes at once from this address. Send large files through POST /v1/uploads.', {
    retryAfter: longest(),
  });

/** Yields the chunks of a body of unknown length at the pace of its address. Throws `too_many_requests`. */
export async function* inPace(body: AsyncIterable<Uint8Array>, address: string): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    const wait = bodyPace().take(address, piece.length);
    if (wait === null) throw tooFast();
    if (wait > 0) await pause(wait);
    yield piece;
  }
}
