import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import { parseInput } from '#lib/accounts/input';
import { getAccount, noSuchAccount } from '#lib/accounts/accounts';
import { gems, line } from '#lib/contract/values';
import { db, type Tx } from '#lib/db/client';
import { ofAccount } from '#lib/db/of-account';
import { toPage, type Page } from '#lib/db/page';
import { accounts, ledger } from '#lib/db/schema';

export type LedgerRow = typeof ledger.$inferSelect;

const Grant = z.object({
  gems: gems(1),
  reason: line(500),
  kind: z.enum(['grant', 'top_up']),
  paymentId: z.uuid().optional(),
  key: z.string().optional(),
});

/** Adds gems to an account. */
export async function grantGems(
  accountId: string,
  input: { gems: number; reason: string; kind: 'grant' | 'top_up'; paymentId?: string; key?: string | undefined },
  tx: Tx = db(),
): Promise<LedgerRow> {
  return await bookGems(accountId, parseInput(Grant, input), tx);
}

/**
 * Moves gems, down too: balance and ledger row together, in one transaction with whatever else `tx` does. The account's row
 * lock is taken first and ledger ids are drawn under it, so that `balance_after` is a chain in the order of the ids.
 */
export async function bookGems(
  accountId: string,
  entry: Pick<LedgerRow, 'kind' | 'gems' | 'reason'> & { paymentId?: string | undefined; key?: string | undefined },
  tx: Tx,
): Promise<LedgerRow> {
  return await tx.transaction(async tx => {
    const [account] = await tx
      .update(accounts)
      .set({ balance: sql`${accounts.balance} + ${entry.gems}` })
      .where(eq(accounts.id, accountId))
      .returning({ balance: accounts.balance });
    if (!account) return noSuchAccount();
    const [row] = await tx
      .insert(ledger)
      .values({
        accountId,
        ...entry,
        balanceAfter: account.balance,
        createdAt: sql`date_trunc('milliseconds', clock_timestamp())`,
      })
      .returning();
    if (!row) throw new Error('a ledger row was not stored');
    return row;
  });
}

/** The grant that the account got first under the key. */
export async function findGrant(accountId: string, key: string, tx: Tx): Promise<LedgerRow | null> {
  const [row] = await tx
    .select()
    .from(ledger)
    .where(and(ofAccount(ledger.accountId, accountId), eq(ledger.kind, 'grant'), eq(ledger.key, key)));
  return row ?? null;
}

/** A page of the account's ledger, newest first. `cursor` is the previous page's `nextCursor`. */
export async function listLedger(
  accountId: string,
  {
    limit = 50,
    cursor,
    kind,
  }: { limit?: number; cursor?: string | undefined; kind?: LedgerRow['kind'] | undefined } = {},
): Promise<Page<LedgerRow>> {
  const rows = await db()
    .select()
    .from(ledger)
    .where(
      and(
        ofAccount(ledger.accountId, accountId),
        cursor === undefined ? undefined : lt(ledger.id, Number(cursor)),
        kind && eq(ledger.kind, kind),
      ),
    )
    .orderBy(desc(ledger.id))
    .limit(limit + 1);
  return toPage(rows, limit, row => String(row.id));
}

export const readBalance = async (accountId: string): Promise<number> => (await getAccount(accountId)).balance;
