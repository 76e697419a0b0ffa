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

/** Adds gems to an account, as a grant or a top-up. */
export async function grantGems(
  accountId: string,
  input: { gems: number; reason: string; kind: 'grant' | 'top_up'; paymentId?: string; key?: string | undefined },
  tx: Tx = db(),
): Promise<LedgerRow> {
  return await bookGems(accountId, parseInput(Grant, input), tx);
}

/**
 * Adds gems to the balance, or takes them if negative, and inserts the ledger row, within the transaction `tx`. The
 * update takes the account's row lock before the ledger id is drawn, so `balance_after` forms a chain in order of ids.
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

/** Finds the grant that was made to the account under an idempotency key. */
export async function findGrant(accountId: string, key: string, tx: Tx): Promise<LedgerRow | null> {
  const [row] = await tx
    .select()
    .from(ledger)
    .where(and(ofAccount(ledger.accountId, accountId), eq(ledger.kind, 'grant'), eq(ledger.key, key)));
  return row ?? null;
}

/** Returns a page of the account's ledger, newest first. `cursor` is the `nextCursor` of the previous page. */
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
