import { eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { accounts, ledger, media, requests, type StoredResult } from '#lib/db/schema';
import { heldBy, type Claim } from '#lib/generations/claim';
import type { Generation } from '#lib/generations/generation';
import { PREVIEW_TYPE } from '#lib/generations/store-preview';
import { log } from '#lib/log';
import { FINAL_CHANNEL } from '#lib/queue/queues';

export type Ending =
  | { status: 'completed'; result: StoredResult }
  /** `message` is for the account, `cause` for the operator. */
  | { status: 'failed'; message: string; cause: string };

/**
 * The only way from live to completed or failed: state, result or error, refund and media row in one transaction. False
 * when the claim was lost or the request was cancelled; then nothing is written and the output is to be dropped.
 */
export async function settleGeneration(claim: Claim, ending: Ending): Promise<boolean> {
  const settled = await db().transaction(async tx => {
    const [row] = await tx.update(requests).set(finalColumns(ending)).where(heldBy(claim)).returning();
    if (!row) return false;
    if (ending.status === 'completed') await insertResult(tx, row, ending.result);
    else await refund(tx, row);
    await tx.execute(sql`select pg_notify(${FINAL_CHANNEL}, ${row.id})`);
    return true;
  });
  log().info({ requestId: claim.id, attempt: claim.attempt, status: ending.status, settled }, 'generation settled');
  return settled;
}

const finalColumns = (ending: Ending) => ({
  status: ending.status,
  progress: null,
  finishedAt: sql`now()`,
  updatedAt: sql`now()`,
  ...(ending.status === 'completed'
    ? { result: ending.result }
    : { errorMessage: ending.message, failureCause: ending.cause.slice(0, 2_000), refunded: true }),
});

async function insertResult(tx: Tx, { id, accountId }: Generation, result: StoredResult): Promise<void> {
  const { mediaId, key, contentType, bytes, width, height, duration, preview } = result;
  const owner = { accountId, requestId: id, expiresAt: new Date(result.expiresAt) };
  const rows: (typeof media.$inferInsert)[] = [
    { ...owner, id: mediaId, kind: 'result', key, contentType, bytes, width, height, duration },
  ];
  if (preview && 'key' in preview) {
    const { mediaId, ...file } = preview;
    rows.push({ ...owner, ...file, id: mediaId, kind: 'preview', contentType: PREVIEW_TYPE });
  }
  await tx.insert(media).values(rows);
}

async function refund(tx: Tx, { id, accountId, apiKeyId, gems }: Generation): Promise<void> {
  const [account] = await tx
    .update(accounts)
    .set({ balance: sql`${accounts.balance} + ${gems}` })
    .where(eq(accounts.id, accountId))
    .returning({ balance: accounts.balance });
  if (!account) throw new Error(`account ${accountId} of request ${id} is gone`);
  await tx
    .insert(ledger)
    .values({ accountId, apiKeyId, kind: 'refund', gems, balanceAfter: account.balance, requestId: id });
}
