import { eq, sql } from 'drizzle-orm';
import { bookGems } from '#lib/accounts/ledger';
import { db, type Tx } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { sum } from '#lib/sum';

interface Due {
  paymentId: string;
  /** Gems still to be taken back; negative: to be credited again. */
  gems: number;
}

/**
 * Adjusts the ledger to returned money: takes back the gems that it bought, as far as the balance allows, and credits
 * them again after a won dispute. The rest is owed and taken at the next purchase. Idempotent. The caller must hold the
 * account's lock.
 */
export async function settleReturned(accountId: string, tx: Tx): Promise<void> {
  const [account] = await tx.select({ balance: accounts.balance }).from(accounts).where(eq(accounts.id, accountId));
  let balance = account?.balance ?? 0;
  for (const { paymentId, gems: due } of await duesOf(accountId, tx)) {
    const gems = -Math.min(due, balance);
    if (gems === 0) continue;
    const reason = gems < 0 ? 'The payment was returned' : 'The payment stands again';
    ({ balanceAfter: balance } = await bookGems(accountId, { kind: 'reversal', gems, reason, paymentId }, tx));
  }
}

/** Returns the gems owed for returned payments, because they were spent before they could be taken back. */
export const gemsOwed = async (accountId: string): Promise<number> =>
  sum((await duesOf(accountId, db())).map(({ gems }) => gems));

/** Lists the dues of an account, credits first, since they may cover the others. */
async function duesOf(accountId: string, tx: Tx): Promise<Due[]> {
  const { rows } = await tx.execute<{ paymentId: string; gems: number }>(sql`
    with dues as (
      select p.id, p.gems_returned + coalesce((select sum(l.gems) from ledger l where l.payment_id = p.id and l.kind = 'reversal'), 0) as gems
      from payments p
      where p.account_id = ${accountId} and p.status = 'succeeded' and exists (select from reversals r where r.payment_id = p.id)
    )
    select id as "paymentId", gems::bigint as gems from dues where gems <> 0 order by gems`);
  return rows;
}
