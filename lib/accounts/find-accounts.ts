import { and, desc, getTableColumns, or, sql } from 'drizzle-orm';
import { accountToWire, secondStepToWire, signInToWire } from '#lib/accounts/account-to-wire';
import { getAccount, type Account } from '#lib/accounts/accounts';
import { apiKeysToWire } from '#lib/accounts/api-key-to-wire';
import { listApiKeys } from '#lib/accounts/api-keys';
import { autoTopUpToWire, paymentToWire } from '#lib/accounts/gems-overview';
import { listLedger } from '#lib/accounts/ledger';
import { listPayments } from '#lib/accounts/payments/payments';
import { readSecondStep } from '#lib/accounts/second-step';
import { listSignIns } from '#lib/accounts/sign-ins';
import { ledgerToWire } from '#lib/accounts/ledger-to-wire';
import type { AdminAccountDetailWire, AdminAccountWire } from '#lib/contract/admin-schemas';
import { db } from '#lib/db/client';
import { holds } from '#lib/db/holds';
import { olderThan, toPage, type Page } from '#lib/db/page';
import { accounts, requests } from '#lib/db/schema';
import { liveIn } from '#lib/status';

const RECENT = 20;

/** Lists accounts whose e-mail address or name contains every word of `q`, newest first. */
export async function findAccounts({
  q = '',
  limit = 50,
  cursor,
}: {
  q?: string | undefined;
  limit?: number;
  cursor?: string | undefined;
} = {}): Promise<Page<AdminAccountWire>> {
  const words = q.split(/\s+/).filter(Boolean);
  const live = sql<number>`(select count(*) from ${requests} r
    where r.account_id = ${accounts}.id and ${sql.raw(liveIn('r'))})::int`;
  const rows = await db()
    .select({ ...getTableColumns(accounts), live })
    .from(accounts)
    .where(
      and(
        olderThan(accounts.id, cursor),
        ...words.map(word => or(holds(accounts.email, word), holds(accounts.name, word))),
      ),
    )
    .orderBy(desc(accounts.id))
    .limit(limit + 1);
  const { data, nextCursor } = toPage(rows, limit, row => row.id);
  return { data: data.map(row => adminAccountToWire(row, row.live)), nextCursor };
}

/** Returns everything that an operator sees of an account. */
export async function readAccountDetail(id: string): Promise<AdminAccountDetailWire> {
  const account = await getAccount(id);
  const [counts, signIns, step, keys, ledger, payments] = await Promise.all([
    countRequests(id),
    listSignIns(id),
    readSecondStep(id),
    listApiKeys(id).then(apiKeysToWire),
    listLedger(id, { limit: RECENT }),
    listPayments(id, { limit: RECENT }),
  ]);
  return {
    ...adminAccountToWire(account, counts.live),
    sign_ins: signIns.map(signInToWire),
    second_step: secondStepToWire(step),
    keys,
    auto_top_up: account.autoTopUp && autoTopUpToWire(account.autoTopUp),
    requests: counts,
    ledger: ledger.data.map(ledgerToWire),
    payments: payments.data.map(paymentToWire),
  };
}

const adminAccountToWire = (account: Account, live: number): AdminAccountWire => ({
  ...accountToWire(account),
  disabled_at: account.disabledAt?.toISOString() ?? null,
  top_up_limit: account.topUpLimit,
  live_requests: live,
});

/** Counts requests by outcome, each with an index of its own, since an account may have millions. */
async function countRequests(accountId: string): Promise<AdminAccountDetailWire['requests']> {
  const count = (which: string) =>
    sql`(select count(*)::int from requests where account_id = ${accountId} and ${sql.raw(which)})`;
  const { rows } = await db().execute<{ all: number; failed: number; cancelled: number; live: number }>(
    sql`select ${count('true')} as "all", ${count(`status = 'failed'`)} as failed, ${count(`status = 'cancelled'`)} as cancelled,
      ${count(liveIn())} as live`,
  );
  const { all, ...rest } = rows[0]!;
  return { completed: all - rest.failed - rest.cancelled - rest.live, ...rest };
}
