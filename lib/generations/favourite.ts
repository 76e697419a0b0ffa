import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import type { Generation } from '#lib/life/generation';
import { getGeneration } from '#lib/generations/read';

/** Marks or unmarks a request as a favourite. `updatedAt` stays, because the state of the request does not change. */
export async function markFavourite(accountId: string, id: string, favourite: boolean): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  await db().update(requests).set({ favourite }).where(eq(requests.id, generation.id));
  return { ...generation, favourite };
}
