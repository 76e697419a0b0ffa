import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { many } from '#lib/contract/words';
import { pool } from '#lib/db/client';
import { env } from '#lib/env';
import { LIMITS, overLimit, type LimitName } from '#lib/limits';
import { singleton } from '#lib/singleton';

/** Limits of attempts that are counted across all processes. */
const ATTEMPTS = [
  'LIMIT_PASSWORDS',
  'LIMIT_PASSWORDS_PER_ACCOUNT',
  'LIMIT_PASSWORDS_PER_ADDRESS',
  'LIMIT_CODES',
  'LIMIT_TOP_UPS',
  'LIMIT_EXPORTS',
  'LIMIT_SIGN_UPS_PER_ADDRESS',
  'LIMIT_RESETS_PER_ACCOUNT',
  'LIMIT_RESETS_PER_ADDRESS',
  'LIMIT_MAILS_PER_ACCOUNT',
  'LIMIT_BAD_KEYS_PER_ADDRESS',
  'LIMIT_APPS_PER_ADDRESS',
  'LIMIT_TICKETS',
  'LIMIT_WEBHOOK_SENDS',
] as const satisfies LimitName[];

export type AttemptLimit = (typeof ATTEMPTS)[number];
/** Limits that each process counts for itself. */
type LocalLimit = 'LIMIT_PAGES_PER_ADDRESS';

const limiters = () =>
  singleton('accounts.limiters', () => {
    const made = ATTEMPTS.map(name => [
      name,
      new RateLimiterPostgres({
        points: env()[name],
        duration: LIMITS[name].window,
        keyPrefix: name,
        storeClient: pool(),
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        // these are never forgiven, so a caller over the limit can be refused without a query
        ...(name === 'LIMIT_BAD_KEYS_PER_ADDRESS' && { inMemoryBlockOnConsumed: env()[name] + 1 }),
      }),
    ]);
    return Object.fromEntries(made) as Record<AttemptLimit, RateLimiterPostgres>;
  });

/** Counts an attempt. Throws the error of the limit when there were too many. */
export async function countAttempt(name: AttemptLimit, who: string): Promise<void> {
  const limiter = limiters()[name];
  await limiter
    .consume(keyOf(who))
    .catch(refuse(name, seconds => `Too many attempts. Try again in ${inWords(seconds)}.`));
}

/** Counts an attempt in this process only. Throws the error of the limit, with the message of `say`, after too many. */
export async function countHere(name: LocalLimit, who: string, say: (seconds: number) => string): Promise<void> {
  const limiter = singleton(
    `accounts.limiter.${name}`,
    () => new RateLimiterMemory({ points: env()[name], duration: LIMITS[name].window }),
  );
  await limiter.consume(who).catch(refuse(name, say));
}

const refuse = (name: LimitName, say: (seconds: number) => string) => (refused: unknown) => {
  if (!(refused instanceof RateLimiterRes)) throw refused;
  const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
  throw overLimit(name, say(retryAfter), { retryAfter });
};

/** Takes back an attempt that succeeded. */
export async function forgiveAttempt(name: AttemptLimit, who: string): Promise<void> {
  await limiters()[name].reward(keyOf(who));
}

/** Clears the counted attempts after one succeeded. */
export async function forgetAttempts(name: AttemptLimit, who: string): Promise<void> {
  await limiters()[name].delete(keyOf(who));
}

const keyOf = (who: string): string => who.trim().toLowerCase().slice(0, 300);

const inWords = (seconds: number): string =>
  seconds < 90 ? many(seconds, 'second') : many(Math.ceil(seconds / 60), 'minute');
