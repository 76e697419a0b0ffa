import { eq } from 'drizzle-orm';
import { refreshArchitectureStates } from '#lib/catalog/architecture-states';
import { catalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { db, type Tx } from '#lib/db/client';
import { settings } from '#lib/db/schema';
import { announceToAll } from '#lib/webhooks/announce';

/** The states that webhooks know of, by architecture. */
const SETTING = 'announced_states';
/** When webhooks were told last that one was retired, by architecture. */
const TOLD = 'told_retired';
/** Versions whose files differ may look in turn for so long: what one retired is live for the other. */
const ONCE_MS = 86_400_000;

/** Tells webhooks of architectures that were retired since the last look, by their file or by an operator: of each once a day at most. */
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

/** Those of them that were not told a day ago or later; from now on they were. */
async function takeUntold(retired: readonly Architecture[], now: Date, tx: Tx): Promise<Architecture[]> {
  if (retired.length === 0) return [];
  const [row] = await tx.select().from(settings).where(eq(settings.name, TOLD));
  const told = (row?.value ?? {}) as Record<string, string>;
  const untold = retired.filter(({ id }) => now.getTime() - new Date(told[id] ?? 0).getTime() >= ONCE_MS);
  const value = { ...told, ...Object.fromEntries(untold.map(({ id }) => [id, now.toISOString()])) };
  await tx.insert(settings).values({ name: TOLD, value }).onConflictDoUpdate({ target: settings.name, set: { value } });
  return untold;
}
