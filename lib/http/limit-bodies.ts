import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { env } from '#lib/env';
import { addressOf } from '#lib/http/client-address';
import { refuse } from '#lib/http/guard';
import { isFile } from '#lib/http/limit-times';
import { hold, Pace } from '#lib/http/pace';
import { MAX_BODY_BYTES } from '#lib/http/read-json';
import { overLimit } from '#lib/limits';
import { singleton } from '#lib/singleton';

const NAME = 'LIMIT_BODY_BYTES_PER_ADDRESS';
/** Most seconds that it waits: half the time that a body has to arrive. */
const longest = () => env().LIMIT_BODY_SECONDS / 2;

const pace = () => singleton('http.bodies', () => new Pace(NAME, longest() * 1000));

/** Lets a body in at the pace of its address; until then it waits on the line. False when it would have to for too long, and was refused. */
export async function letBodyIn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
  const address = addressOf(incoming);
  const declared = incoming.headers['content-length'];
  const bytes = Number(declared ?? 0);
  const { bytesRead } = incoming.socket;
  // what nobody reads, Node would throw away as fast as it comes
  incoming.read(0);
  // no more of it is read than a body may have
  const wait = isFile(incoming) ? 0 : pace().take(address, Math.min(bytes, MAX_BODY_BYTES));
  const isCounted = wait !== null && declared !== undefined && bytes <= MAX_BODY_BYTES && !isFile(incoming);
  outgoing.once('close', () => {
    if (declared === undefined) pace().take(address, incoming.socket.bytesRead - bytesRead);
    throwAway(incoming, isCounted ? null : address);
  });
  if (wait === null) {
    const message = 'Too many bytes at once from this address. Send large files through POST /v1/uploads.';
    return !refuse(outgoing, overLimit(NAME, message, { retryAfter: longest() }));
  }
  await hold(wait, outgoing);
  return true;
}

/**
 * Reads on, until its time is over: some clients send all before they look for the answer. At the pace of the address, or as it comes
 * when all of it has been counted.
 */
function throwAway(incoming: IncomingMessage, address: string | null): void {
  // a web stream that was made of it and is read no more would hold it, and with it the next request of the connection
  incoming.removeAllListeners('data');
  if (address !== null)
    incoming.on('data', async (piece: Buffer) => {
      const wait = pace().take(address, piece.length);
      if (wait === null) incoming.destroy();
      if (!wait) return;
      incoming.pause();
      await pause(wait);
      incoming.resume();
    });
  incoming.resume();
}
