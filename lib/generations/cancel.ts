import { and, eq, inArray, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import type { Generation } from '#lib/generations/generation';
import { getGeneration } from '#lib/generations/read';
import { LIVE_STATUSES } from '#lib/generations/status';
import { CANCEL_CHANNEL, FINAL_CHANNEL } from '#lib/queue/queues';

/** Makes a live request cancelled at once, without a refund, and tells its worker. Cancelling again changes nothing. */
export async function cancelGeneration(accountId: string, id: string): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  return (await cancelLive(generation.id)) ?? (await alreadyFinal(accountId, id));
}

async function cancelLive(id: string): Promise<Generation | undefined> {
  return db().transaction(async tx => {
    const [cancelled] = await tx
      .update(requests)
      .set({ status: 'cancelled', progress: null, finishedAt: sql`now()`, updatedAt: sql`now()` })
      .where(and(eq(requests.id, id), inArray(requests.status, LIVE_STATUSES)))
      .returning();
    if (cancelled)
      await tx.execute(sql`select pg_notify(${CANCEL_CHANNEL}, ${id}), pg_notify(${FINAL_CHANNEL}, ${id})`);
    return cancelled;
  });
}

async function alreadyFinal(accountId: string, id: string): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  if (generation.status === 'cancelled') return generation;
  throw new AppError('request_finished', `The request is ${generation.status} already and cannot be cancelled.`);
}
