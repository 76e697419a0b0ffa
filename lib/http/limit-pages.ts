import type { IncomingMessage, ServerResponse } from 'node:http';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { findSessionToken } from '#lib/auth/session-token';
import { env } from '#lib/env';
import { addressOf } from '#lib/http/client-address';
import { refuse } from '#lib/http/guard';
import { LIMITS, overLimit } from '#lib/limits';

/** Counts the pages of whoever has no session. True when there were too many, and it was refused. */
export function limitPages(): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<boolean> {
  const name = 'LIMIT_PAGES_PER_ADDRESS';
  const limiter = new RateLimiterMemory({ points: env()[name], duration: LIMITS[name].window });
  return async (incoming, outgoing) => {
    if (isFile(incoming) || (await findSessionToken(incoming.headers.cookie ?? null))) return false;
    try {
      await limiter.consume(addressOf(incoming));
      return false;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      return refuse(outgoing, overLimit(name, `Too many pages at once. Try again in ${retryAfter} s.`, { retryAfter }));
    }
  };
}

/** What a build made is read from disk. */
const isFile = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/_next/static/') || url === '/icon.svg';
