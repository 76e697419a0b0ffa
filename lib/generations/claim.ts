import { and, eq, inArray, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import type { EngineRef } from '#lib/engines/engine';
import type { Generation } from '#lib/generations/generation';
import { LIVE_STATUSES } from '#lib/generations/status';

/** What a worker holds while it runs a request: `attempt` is the fencing token of all its writes. */
export type Claim = Generation;

/** Only the holder of the last claim may write, and only while the request is live. */
export const heldBy = (claim: Pick<Claim, 'id' | 'attempt'>) =>
  and(eq(requests.id, claim.id), eq(requests.attempt, claim.attempt), inArray(requests.status, LIVE_STATUSES));

/** Takes a live request over from whoever held it; null when it is final. */
export async function claimGeneration(id: string): Promise<Claim | null> {
  const [claim] = await db()
    .update(requests)
    .set({
      status: 'in_progress',
      attempt: sql`${requests.attempt} + 1`,
      progress: null,
      startedAt: sql`coalesce(${requests.startedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(and(eq(requests.id, id), inArray(requests.status, LIVE_STATUSES)))
    .returning();
  return claim ?? null;
}

/** Writes progress (0..1); false when the claim is lost or the request is final. */
export async function reportProgress(claim: Claim, progress: number): Promise<boolean> {
  const written = await db().update(requests).set({ progress }).where(heldBy(claim)).returning({ id: requests.id });
  return written.length > 0;
}

/** Saves the engine's name for the job, so that another worker can find it; false when the claim is lost. */
export async function saveEngineRef(claim: Claim, engineRef: EngineRef): Promise<boolean> {
  const written = await db().update(requests).set({ engineRef }).where(heldBy(claim)).returning({ id: requests.id });
  return written.length > 0;
}
