import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyPace, tooFast } from '#lib/http/body-pace';
import { addressOf } from '#lib/http/client-address';
import { refuse } from '#lib/http/guard';
import { isUpload } from '#lib/http/limit-times';
import { hold } from '#lib/http/pace';
import { isForm, MAX_BODY_BYTES, MAX_FORM_BYTES } from '#lib/http/read-json';

/** Returns the maximum number of bytes that are read of a body, or of a form with files. */
const mostOf = ({ headers }: IncomingMessage): number =>
  isForm(headers['content-type']) ? MAX_FORM_BYTES : MAX_BODY_BYTES;

/**
 * Delays a body to the pace of its address; until then its bytes stay in the socket. Returns false when the delay would
 * be too long and the request was refused. A body of undeclared length is counted while it is read.
 */
export async function letBodyIn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
  const address = addressOf(incoming);
  const declared = incoming.headers['content-length'];
  const bytes = Number(declared ?? 0);
  // marks the body as consumed; otherwise Node would discard an unread body as fast as it arrives
  incoming.read(0);
  const most = mostOf(incoming);
  const wait = isUpload(incoming) ? 0 : bodyPace().take(address, Math.min(bytes, most));
  const isCounted = wait !== null && declared !== undefined && bytes <= most && !isUpload(incoming);
  outgoing.once('close', () => throwAway(incoming, isCounted ? null : address));
  if (wait === null) return !refuse(outgoing, tooFast());
  await hold(wait, outgoing);
  return true;
}

/**
 * Reads the rest of a body and discards it until its time is up: some clients send everything before they read the
 * response. Paced by `address`, or unpaced when the whole body has been counted.
 */
function throwAway(incoming: IncomingMessage, address: string | null): void {
  // an unread web stream of the body would pause the message, and so block the next request on the connection
  incoming.removeAllListeners('data');
  if (address !== null)
    incoming.on('data', async (piece: Buffer) => {
      const wait = bodyPace().take(address, piece.length);
      if (wait === null) incoming.destroy();
      if (!wait) return;
      incoming.pause();
      await pause(wait);
      incoming.resume();
    });
  incoming.resume();
}
