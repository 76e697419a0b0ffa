import { mayTopUp } from '#lib/accounts/auto-top-up';
import type { Caller } from '#lib/accounts/callers';
import { many } from '#lib/contract/words';
import { AppError } from '#lib/errors';
import { weighGeneration, type KeyLimits, type Reluctance } from '#lib/life/accept';

interface Price {
  gems: number;
  /** A price above it is refused. */
  maxGems?: number | undefined;
  /** How a refusal begins, where that is no price of one generation. */
  costs?: string;
}

const ONE_COSTS = 'This generation costs';

/**
 * Throws when a generation at this price would be refused as things are, before anything dear is done for it, such as reading its
 * media. Where nothing is, the acceptance itself says so soon enough, but to whoever cannot pay: it locks the account for that. Gives
 * the lack of gems that auto top-up may make good.
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
  // with auto top-up on, gems may come before they are needed
  if (weighed && !(caller.autoTopUp && lacksGemsAtMost(weighed))) throw toRefusal(weighed, caller, price);
  return weighed;
}

/**
 * The same for what several requests make together. Each of them buys for itself alone: with auto top-up on, it must be able to buy what
 * the whole lacks, or the last ones would get none.
 */
export async function admitWhole(caller: Caller, price: Price): Promise<void> {
  const lack = await admitGeneration(caller, price);
  if (lack && !(await mayTopUp(caller.accountId, price.gems))) throw toRefusal(lack, caller, price);
}

export function requireMayGenerate({ mayGenerate }: Pick<Caller, 'mayGenerate'>): void {
  if (!mayGenerate) throw new AppError('forbidden', 'The operator switched off generation for this account.');
}

/** What speaks against a generation of the caller at this price now. */
export const weigh = ({ accountId, keyId, ...caller }: Caller, gems: number): Promise<Reluctance | null> =>
  weighGeneration({ accountId, keyId, gems, limits: limitsOf(caller) });

/** Whether nothing is in its way that gems would not take out of it. */
export const lacksGemsAtMost = (weighed: Reluctance | null): boolean =>
  weighed === null || weighed.outcome === 'short_of_balance';

/** What the key that calls may of what its account may. */
export const limitsOf = ({
  monthlyBudget,
  keyInFlightLimit,
}: Pick<Caller, 'monthlyBudget' | 'keyInFlightLimit'>): KeyLimits => ({
  budget: monthlyBudget,
  inFlight: keyInFlightLimit,
});

/** The refusal that a client reads. */
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
    `The ${whose} has ${many(limit, what)} in flight, its limit. Wait until one is final. Nothing was charged.`,
    {},
    { retryAfter: 5 },
  );
