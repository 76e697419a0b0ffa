import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyPace, tooFast } from '#lib/http/body-pace';
import { addressOf } from '#lib/http/client-address';
import { refuse } from '#lib/http/guard';
import { isUpload } from '#lib/http/limit-times';
import { hold } from '#lib/http/pace';
import { isForm, MAX_BODY_BYTES, MAX_FORM_BYTES } from '#lib/http/read-json';

/** As much of it is read as a body, or a form with files, may have. */
const mostOf = ({ headers }: IncomingMessage): number =>
  isForm(headers['content-type']) ? MAX_FORM_BYTES : MAX_BODY_BYTES;

/**
 * Lets a body in at the pace of its address; until then it waits on the line. False when it would have to for too long, and was refused.
 * One that does not say how long it is counts while it is read.
 */
export async function letBodyIn(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
  const address = addressOf(incoming);
  const declared = incoming.headers['content-length'];
  const bytes = Number(declared ?? 0);
  // what nobody reads, Node would throw away as fast as it comes
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
 * Reads on, until its time is over: some clients send all before they look for the answer. At the pace of the address, or as it comes
 * when all of it has been counted.
 */
function throwAway(incoming: IncomingMessage, address: string | null): void {
  // a web stream that was made of it and is read no more would hold it, and with it the next request of the connection
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
