import { and, eq, gt, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getGeneration } from '#lib/generations/read';
import { isFinal } from '#lib/generations/status';

/**
 * Ends the time of a final request's media: the URL answers 410 from now on, and retention takes the file as soon as no live
 * request uses it as an input. The row and its facts stay. Idempotent.
 */
export async function removeGeneration(accountId: string, id: string): Promise<void> {
  const generation = await getGeneration(accountId, id);
  if (!isFinal(generation.status)) throw new AppError('request_live', 'The request is still live; cancel it first.');
  await db()
    .update(media)
    .set({ expiresAt: sql`now()` })
    .where(and(eq(media.requestId, generation.id), eq(media.kind, 'result'), gt(media.expiresAt, sql`now()`)));
}
