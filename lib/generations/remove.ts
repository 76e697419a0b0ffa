import { and, eq, isNull, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { media } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { getGeneration } from '#lib/generations/read';
import { isFinal } from '#lib/generations/status';
import { storage } from '#lib/storage/store';

/** Removes the media of a final request; the row and its facts stay, the result's URL answers 410. Idempotent. */
export async function removeGeneration(accountId: string, id: string): Promise<void> {
  const generation = await getGeneration(accountId, id);
  if (!isFinal(generation.status)) throw new AppError('request_live', 'The request is still live; cancel it first.');
  const removed = await db()
    .update(media)
    .set({ deletedAt: sql`now()` })
    .where(and(eq(media.requestId, generation.id), eq(media.kind, 'result'), isNull(media.deletedAt)))
    .returning({ key: media.key });
  for (const { key } of removed) await storage().delete(key);
}
