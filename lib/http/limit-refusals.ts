import type { ServerResponse } from 'node:http';
import { addressOf } from '#lib/http/client-address';
import { hold, Pace } from '#lib/http/pace';
import { singleton } from '#lib/singleton';

const LONGEST_MS = 10_000;

const pace = () => singleton('http.refusals', () => new Pace('LIMIT_REFUSALS_PER_ADDRESS', LONGEST_MS));

/**
 * Keeps a refusal back while its address gets too many: whoever does not heed them costs no more than that many a second. Those for
 * whom that would be too long are hung up on.
 */
export async function holdRefusal(outgoing: ServerResponse): Promise<void> {
  const wait = pace().take(addressOf(outgoing.req), 1);
  if (wait === null) outgoing.destroy();
  else await hold(wait, outgoing);
}
