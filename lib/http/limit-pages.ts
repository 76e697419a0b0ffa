import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { findSessionToken } from '#lib/auth/session-token';
import { env } from '#lib/env';
import { AppError } from '#lib/errors';
import { addressOf, clientAddress } from '#lib/http/client-address';
import { refuse } from '#lib/http/guard';
import { LIMITS, overLimit } from '#lib/limits';
import { singleton } from '#lib/singleton';

const NAME = 'LIMIT_PAGES_PER_ADDRESS';

const limiter = () =>
  singleton('http.pages', () => new RateLimiterMemory({ points: env()[NAME], duration: LIMITS[NAME].window }));

/** Counts what is shown to whoever has no session. Throws `rate_limited` when that was too much. */
async function countPage(cookies: string | null, address: string): Promise<void> {
  if (await findSessionToken(cookies)) return;
  try {
    await limiter().consume(address);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw overLimit(NAME, `Too many pages at once. Try again in ${retryAfter} s.`, { retryAfter });
  }
}

/** The same for what is no page of Next, and large. */
export const countAnswer = (request: Request): Promise<void> =>
  countPage(request.headers.get('cookie'), clientAddress(request));

/** True when there were too many, and it was refused. */
export async function isOverPageLimit(incoming: IncomingMessage, outgoing: ServerResponse): Promise<boolean> {
  if (isFile(incoming)) return false;
  try {
    await countPage(incoming.headers.cookie ?? null, addressOf(incoming));
    return false;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refuse(outgoing, error);
  }
}

/** What a build made is read from disk. */
const isFile = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/_next/static/') || url === '/icon.svg';
