import type { ServerResponse } from 'node:http';
import { addressOf } from '#lib/http/client-address';
import { hold, Pace } from '#lib/http/pace';
import { singleton } from '#lib/singleton';

const LONGEST_MS = 10_000;

const pace = () => singleton('http.refusals', () => new Pace('LIMIT_REFUSALS_PER_ADDRESS', LONGEST_MS));

/**
 * Delays a refusal when its address gets too many, so that a client that ignores them costs only that many a second.
 * Closes the connection when the delay would be too long.
 */
export async function holdRefusal(outgoing: ServerResponse): Promise<void> {
  const wait = pace().take(addressOf(outgoing.req), 1);
  if (wait === null) outgoing.destroy();
  else await hold(wait, outgoing);
}
