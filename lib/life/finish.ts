import { and, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { owe } from '#lib/db/owe';
import { accounts, frames, ledger, media, requests, type StoredResult } from '#lib/db/schema';
import { LIVE_STATUSES } from '#lib/status';
import type { Generation } from '#lib/life/generation';
import { followUps } from '#lib/life/outbox';
import { log } from '#lib/log';

/**
 * Channel notified (with the request id) when a request becomes final; waiting clients and the holding worker listen.
 */
export const FINAL_CHANNEL = 'pomona_final';

export type Ending =
  | { status: 'completed'; result: StoredResult }
  /** `message` is for the account, `cause` for the operator. */
  | { status: 'failed'; message: string; cause: string }
  | { status: 'cancelled' };

/**
 * Makes the live requests that match `which` final. All requests end here. Status, result or error, refund, media rows,
 * notification and outbox tasks are written in one transaction. A condition that may match many rows must include
 * `liveIn`. Returns the updated requests, without those that were already final or whose claim (`heldBy`) was lost.
 */
export async function finish(which: SQL | undefined, ending: Ending, tx: Tx = db()): Promise<Generation[]> {
  const finished = await tx.transaction(async tx => {
    // accounts are locked before requests, in the same order as in a submit or deletion, to avoid deadlocks
    if (ending.status === 'failed') await lockPayers(which, tx);
    const rows = await tx
      .update(requests)
      .set({ ...finalColumns(ending), worker: null, progress: null, finishedAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(which, inArray(requests.status, LIVE_STATUSES)))
      .returning({ ...getTableColumns(requests), heard, told });
    for (const row of rows) {
      if (ending.status === 'completed') await insertResult(tx, row, ending.result);
      if (ending.status === 'failed') await refund(tx, row);
    }
    await tx.delete(frames).where(sql`${frames.requestId} = any(${sql.param(rows.map(({ id }) => id))}::uuid[])`);
    await owe(tx, rows.flatMap(followUps));
    return rows;
  });
  for (const { id, claim, status } of finished) log().info({ requestId: id, claim, status }, 'request finished');
  return finished;
}

/** Notifies listeners when the transaction commits. */
const told = sql`pg_notify(${FINAL_CHANNEL}, requests.id::text)`;

/** Whether a webhook of the account subscribes to this event. */
const heard = sql<boolean>`exists (select from webhooks w where w.account_id = requests.account_id
  and w.disabled_at is null and w.url is not null and 'request.' || requests.status = any(w.events))`;

/** Locks the accounts in the order of their ids, as all code that locks several accounts does, to avoid deadlocks. */
const lockPayers = (which: SQL | undefined, tx: Tx) =>
  tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(inArray(accounts.id, tx.select({ id: requests.accountId }).from(requests).where(which)))
    .orderBy(accounts.id)
    .for('no key update');

const finalColumns = (ending: Ending) => ({
  status: ending.status,
  ...(ending.status === 'completed' && { result: ending.result }),
  ...(ending.status === 'failed' && {
    errorMessage: ending.message,
    failureCause: ending.cause.slice(0, 2_000),
    refunded: true,
  }),
});

async function insertResult(tx: Tx, { id, accountId }: Generation, result: StoredResult): Promise<void> {
  const { mediaId, key, contentType, bytes, width, height, duration, renditions = [] } = result;
  const owner = { accountId, requestId: id, expiresAt: new Date(result.expiresAt) };
  await tx
    .insert(media)
    .values([
      { ...owner, id: mediaId, kind: 'result', key, contentType, bytes, width, height, duration },
      ...renditions.map(({ mediaId: id, ...file }) => ({ ...owner, ...file, id, kind: 'preview' as const })),
    ]);
}

async function refund(tx: Tx, { id, accountId, apiKeyId, gems }: Generation): Promise<void> {
  const [account] = await tx
    .update(accounts)
    .set({ balance: sql`${accounts.balance} + ${gems}` })
    .where(sql`${accounts.id} = ${accountId}`)
    .returning({ balance: accounts.balance });
  if (!account) throw new Error(`account ${accountId} of request ${id} is gone`);
  await tx
    .insert(ledger)
    .values({ accountId, apiKeyId, kind: 'refund', gems, balanceAfter: account.balance, requestId: id });
}
