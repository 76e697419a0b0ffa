import { eq, sql } from 'drizzle-orm';
import { bookGems } from '#lib/accounts/ledger';
import { db, type Tx } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { sum } from '#lib/sum';

interface Due {
  paymentId: string;
  /** Gems still to be taken; below 0: to be given again. */
  gems: number;
}

/**
 * Brings the ledger in line with the money that went back: takes the gems that it had bought, as far as the balance goes, and
 * gives them again when a dispute was won. What cannot be taken is owed, and taken when gems are bought next. The caller holds
 * the account's lock. Safe to repeat.
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

/** Gems of payments that went back and that were spent before they could be taken. */
export const gemsOwed = async (accountId: string): Promise<number> =>
  sum((await duesOf(accountId, db())).map(({ gems }) => gems));

/** What was paid again comes first: it may pay for the others. */
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
