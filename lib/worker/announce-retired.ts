import { eq } from 'drizzle-orm';
import { refreshArchitectureStates } from '#lib/catalog/architecture-states';
import { catalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { db, type Tx } from '#lib/db/client';
import { settings } from '#lib/db/schema';
import { announceToAll } from '#lib/webhooks/announce';

/** Setting with the last state of each architecture that this sweep has seen. */
const SETTING = 'announced_states';
/** Setting with the time of the last `architecture.retired` event, by architecture. */
const TOLD = 'told_retired';
/** Minimum interval between events for an architecture: during an update, two versions may disagree about its state. */
const ONCE_MS = 86_400_000;

/**
 * Announces architectures that were retired since the last run, by their file or an operator, each at most once a day.
 */
export async function announceRetired(now: Date): Promise<number> {
  await refreshArchitectureStates();
  const all = catalog().all();
  const states = Object.fromEntries(all.map(({ id, state }) => [id, state]));
  return await db().transaction(async tx => {
    await tx.insert(settings).values({ name: SETTING, value: states }).onConflictDoNothing();
    const [row] = await tx.select().from(settings).where(eq(settings.name, SETTING)).for('update');
    const known = row!.value as Record<string, Architecture['state']>;
    const retired = all.filter(({ id, state }) => state === 'retired' && known[id] === 'live');
    const untold = await takeUntold(retired, now, tx);
    for (const { id, name } of untold) await announceToAll('architecture.retired', now, { architecture: id, name }, tx);
    const changed = all.some(({ id, state }) => known[id] !== state);
    if (changed)
      await tx
        .update(settings)
        .set({ value: { ...known, ...states } })
        .where(eq(settings.name, SETTING));
    return untold.length;
  });
}

/** Returns the architectures that were not announced within the last day, and marks them as announced. */
async function takeUntold(retired: readonly Architecture[], now: Date, tx: Tx): Promise<Architecture[]> {
  if (retired.length === 0) return [];
  const [row] = await tx.select().from(settings).where(eq(settings.name, TOLD));
  const told = (row?.value ?? {}) as Record<string, string>;
  const untold = retired.filter(({ id }) => now.getTime() - new Date(told[id] ?? 0).getTime() >= ONCE_MS);
  const value = { ...told, ...Object.fromEntries(untold.map(({ id }) => [id, now.toISOString()])) };
  await tx.insert(settings).values({ name: TOLD, value }).onConflictDoUpdate({ target: settings.name, set: { value } });
  return untold;
}
