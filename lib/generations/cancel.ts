import { and, eq, sql } from 'drizzle-orm';
import { db, type Tx } from '#lib/db/client';
import { inTurn } from '#lib/db/in-turn';
import { requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getReadable } from '#lib/generations/read';
import { finish } from '#lib/life/finish';
import type { Generation } from '#lib/life/generation';
import { liveIn } from '#lib/status';

/** Cancels a live request immediately, without a refund. Idempotent. Throws `request_finished`, `request_not_found`. */
export async function cancelGeneration(accountId: string, id: string): Promise<Generation> {
  const generation = await getReadable(accountId, id);
  const [cancelled] = await inTurn(accountId, () => finish(eq(requests.id, generation.id), { status: 'cancelled' }));
  return cancelled ?? (await getCancelled(accountId, id));
}

/** Returns a request that is already cancelled. Throws `request_finished` when it ended otherwise. */
export async function getCancelled(accountId: string, id: string): Promise<Generation> {
  const generation = await getReadable(accountId, id);
  if (generation.status === 'cancelled') return generation;
  throw new AppError('request_finished', `The request is already ${generation.status} and cannot be cancelled.`);
}

/** Cancels the live requests of an account, or of one of its keys. Returns their number. */
export async function cancelAll(
  { accountId, keyId }: { accountId: string; keyId?: string },
  tx: Tx = db(),
): Promise<number> {
  const ofKey = keyId === undefined ? undefined : eq(requests.apiKeyId, keyId);
  return (await finish(and(eq(requests.accountId, accountId), ofKey, sql.raw(liveIn())), { status: 'cancelled' }, tx))
    .length;
}
