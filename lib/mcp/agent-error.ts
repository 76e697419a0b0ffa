import type { Caller } from '#lib/accounts/callers';
import { readBudgetLeft } from '#lib/accounts/key-spending';
import { readBalance } from '#lib/accounts/ledger';
import { env } from '#lib/env';

/** Replaces the API names in a message by the tool and argument names that an agent sees. */
export const inOwnNames = (text: string): string =>
  text
    .replaceAll('Idempotency-Key', 'idempotency_key')
    .replaceAll('GET /v1/architectures', 'list_models')
    .replaceAll('POST /v1/uploads', 'create_upload');

/** Returns an error of the API in the names that an agent sees and, when gems are short, with what it should know. */
export async function toAgentError<E extends { gems_required?: number | undefined }>(error: E, caller: Caller) {
  const own = JSON.parse(inOwnNames(JSON.stringify(error))) as E;
  // a key that may not spend may not see the balance either
  const seesBalance = caller.scopes?.includes('generate') ?? true;
  const isShort = own.gems_required !== undefined && seesBalance;
  return { ...own, ...(isShort && (await shortage(own.gems_required!, caller))) };
}

/** Returns the balance and, when gems or budget are short, a sentence for the user. */
async function shortage(gems: number, caller: Caller): Promise<object> {
  const { BASE_URL } = env();
  const balance = await readBalance(caller.accountId);
  const left = await readBudgetLeft(caller);
  // a replayed refusal: the gems suffice by now, and the message of the refusal says how to proceed
  if (gems <= Math.min(balance, left)) return { balance };
  const tell_the_person =
    left < gems
      ? `This needs ${gems} gems, and ${left} are left of the ${caller.monthlyBudget} a month that you let me spend. Raise the budget at ${BASE_URL}/account/api, or let me wait until the first of next month.`
      : `This needs ${gems} gems, and the account has ${balance}. Get more at ${BASE_URL}/account/gems, or let me try something cheaper.`;
  return { balance, tell_the_person };
}
