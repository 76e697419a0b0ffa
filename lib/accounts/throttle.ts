import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { pool } from '#lib/db/client';
import { AppError } from '#lib/errors';
import { singleton } from '#lib/singleton';

const QUARTER = 900;
const HOUR = 3_600;

/** How many attempts of a kind are taken in how many seconds, in all processes together. */
const LIMITS = {
  'sign-in.account': { points: 10, duration: QUARTER },
  'sign-in.address': { points: 100, duration: QUARTER },
  'sign-up.address': { points: 100, duration: HOUR },
  'reset.account': { points: 3, duration: HOUR },
  'reset.address': { points: 30, duration: HOUR },
};

export type Limit = keyof typeof LIMITS;

const limiters = () =>
  singleton('accounts.limiters', () => {
    const made = Object.entries(LIMITS).map(([keyPrefix, limit]) => [
      keyPrefix,
      new RateLimiterPostgres({
        ...limit,
        keyPrefix,
        storeClient: pool(),
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
      }),
    ]);
    return Object.fromEntries(made) as Record<Limit, RateLimiterPostgres>;
  });

/** Counts an attempt. Throws `rate_limited` when there were too many. */
export async function countAttempt(limit: Limit, who: string): Promise<void> {
  try {
    await limiters()[limit].consume(keyOf(who));
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new AppError('rate_limited', `Too many attempts. Try again in ${inWords(retryAfter)}.`, {}, { retryAfter });
  }
}

/** Takes an attempt back that turned out to be right. */
export async function forgiveAttempt(limit: Limit, who: string): Promise<void> {
  await limiters()[limit].reward(keyOf(who));
}

/** Forgets the attempts of someone who showed to be right. */
export async function forgetAttempts(limit: Limit, who: string): Promise<void> {
  await limiters()[limit].delete(keyOf(who));
}

const keyOf = (who: string): string => who.trim().toLowerCase().slice(0, 300);

const inWords = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
