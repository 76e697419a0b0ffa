import { and, getTableColumns, inArray, sql, type SQL } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { owe } from '#lib/db/owe';
import { accounts, frames, ledger, media, requests, type StoredResult } from '#lib/db/schema';
import { LIVE_STATUSES } from '#lib/status';
import type { Generation } from '#lib/life/generation';
import { followUps } from '#lib/life/outbox';
import { log } from '#lib/log';

/** Told (with the request id) when a request became final: whoever waits for it, and the worker that holds it. */
export const FINAL_CHANNEL = 'pomona_final';

export type Ending =
  | { status: 'completed'; result: StoredResult }
  /** `message` is for the account, `cause` for the operator. */
  | { status: 'failed'; message: string; cause: string }
  | { status: 'cancelled' };

/**
 * The only way out: makes the live requests that `which` names final, whoever asks. What may name many says `liveIn` itself.
 * State, result or error, refund, media rows, notification and what is to follow are written together. Gives the requests as they
 * are now; none of those that were final before, or whose claim (`heldBy`) was lost.
 */
export async function finish(which: SQL | undefined, ending: Ending, tx: Tx = db()): Promise<Generation[]> {
  const finished = await tx.transaction(async tx => {
    // accounts before requests, as a submit and a deletion lock them
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

/** Tells whoever waits, once it is written. */
const told = sql`pg_notify(${FINAL_CHANNEL}, requests.id::text)`;

/** Whether a webhook of the account is to be told. */
const heard = sql<boolean>`exists (select from webhooks w where w.account_id = requests.account_id
  and w.disabled_at is null and w.url is not null and 'request.' || requests.status = any(w.events))`;

/** In the order in which all lock several accounts: two would wait for each other. */
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
