import { eq } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import type { Generation } from '#lib/life/generation';
import { getGeneration } from '#lib/generations/read';

/** Marks a request of the account as a favourite, or takes the mark away. What changed is not the request's state. */
export async function markFavourite(accountId: string, id: string, favourite: boolean): Promise<Generation> {
  const generation = await getGeneration(accountId, id);
  await db().update(requests).set({ favourite }).where(eq(requests.id, generation.id));
  return { ...generation, favourite };
}
