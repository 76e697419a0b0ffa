import { mayTopUp } from '#lib/accounts/auto-top-up';
import type { Caller } from '#lib/accounts/callers';
import { many } from '#lib/contract/words';
import { AppError } from '#lib/errors';
import { weighGeneration, type KeyLimits, type Reluctance } from '#lib/life/accept';

interface Price {
  gems: number;
  /** Maximum price: a higher one is refused. */
  maxGems?: number | undefined;
  /** Beginning of a refusal, for prices other than that of one generation. */
  costs?: string;
}

const ONE_COSTS = 'This generation costs';

/**
 * Throws when a generation at this price would currently be refused, before expensive work such as reading its media.
 * Without such work (`isDear` is false), only the balance is checked, because the acceptance decides the rest; but it
 * would lock the account to refuse a caller who cannot pay. Returns a shortage of gems that auto top-up may cover.
 */
export async function admitGeneration(caller: Caller, price: Price, isDear = true): Promise<Reluctance | null> {
  const { gems, maxGems, costs = ONE_COSTS } = price;
  if (maxGems !== undefined && gems > maxGems) {
    throw new AppError(
      'price_above_limit',
      `${costs} ${gems} gems, more than Max-Gems: ${maxGems}. Nothing was charged.`,
    );
  }
  if (!isDear && gems <= caller.balance) return null;
  const weighed = await weigh(caller, gems);
  // with auto top-up on, missing gems may still be bought
  if (weighed && !(caller.autoTopUp && lacksGemsAtMost(weighed))) throw toRefusal(weighed, caller, price);
  return weighed;
}

/**
 * Like `admitGeneration`, for the total price of several requests. Each request buys its own gems: with auto top-up on,
 * the top-ups allowed must cover the total shortage, or the last requests would be refused.
 */
export async function admitWhole(caller: Caller, price: Price): Promise<void> {
  const lack = await admitGeneration(caller, price);
  if (lack && !(await mayTopUp(caller.accountId, price.gems))) throw toRefusal(lack, caller, price);
}

export function requireMayGenerate({ mayGenerate }: Pick<Caller, 'mayGenerate'>): void {
  if (!mayGenerate) throw new AppError('forbidden', 'The operator switched off generation for this account.');
}

/** Returns why a generation at this price would be refused now; null when it would be accepted. */
export const weigh = ({ accountId, keyId, ...caller }: Caller, gems: number): Promise<Reluctance | null> =>
  weighGeneration({ accountId, keyId, gems, limits: limitsOf(caller) });

/** Whether a generation would be accepted, or only lacks gems. */
export const lacksGemsAtMost = (weighed: Reluctance | null): boolean =>
  weighed === null || weighed.outcome === 'short_of_balance';

/** Returns the limits of the caller's API key, within those of its account. */
export const limitsOf = ({
  monthlyBudget,
  keyInFlightLimit,
}: Pick<Caller, 'monthlyBudget' | 'keyInFlightLimit'>): KeyLimits => ({
  budget: monthlyBudget,
  inFlight: keyInFlightLimit,
});

/** Makes the error for the client. */
export function toRefusal(
  { outcome, available }: Reluctance,
  caller: Caller,
  { gems, costs = ONE_COSTS }: Price,
): AppError {
  switch (outcome) {
    case 'short_of_balance':
      return new AppError(
        'insufficient_gems',
        `${costs} ${gems} gems and the balance is ${available}. Add gems or choose cheaper settings.`,
        { gems_required: gems },
      );
    case 'short_of_budget':
      return new AppError(
        'insufficient_gems',
        `${costs} ${gems} gems and the monthly budget of ${caller.monthlyBudget} gems has ${Math.max(0, available)} left. ` +
          'Raise the budget or choose cheaper settings.',
        { gems_required: gems },
      );
    case 'too_many_requests':
      return tooMany('account', 'generation', caller.inFlightLimit);
    case 'too_many_of_key':
      return tooMany('API key', 'generation', caller.keyInFlightLimit!);
    case 'no_account':
      return new AppError('unauthorized', 'The key was revoked, or its account is gone or disabled.');
  }
}

export const tooMany = (whose: string, what: string, limit: number): AppError =>
  new AppError(
    'too_many_requests',
    limit === 0
      ? `The operator allows this ${whose} no ${what} in flight at the moment. Nothing was charged.`
      : `The ${whose} has ${many(limit, what)} in flight, its limit. Wait until one is final. Nothing was charged.`,
    {},
    { retryAfter: 5 },
  );
