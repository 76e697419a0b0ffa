import { eq } from 'drizzle-orm';
import { refreshArchitectureStates } from '#lib/catalog/architecture-states';
import { catalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { db } from '#lib/db/client';
import { settings } from '#lib/db/schema';
import { announceToAll } from '#lib/webhooks/announce';

/** The states that webhooks know of, by architecture. */
const SETTING = 'announced_states';

/** Tells webhooks of architectures that were retired since the last look, by their file or by an operator. */
export async function announceRetired(now: Date): Promise<number> {
  await refreshArchitectureStates();
  const all = catalog().all();
  const states = Object.fromEntries(all.map(({ id, state }) => [id, state]));
  return await db().transaction(async tx => {
    await tx.insert(settings).values({ name: SETTING, value: states }).onConflictDoNothing();
    const [row] = await tx.select().from(settings).where(eq(settings.name, SETTING)).for('update');
    const known = row!.value as Record<string, Architecture['state']>;
    const retired = all.filter(({ id, state }) => state === 'retired' && known[id] === 'live');
    for (const { id, name } of retired)
      await announceToAll('architecture.retired', now, { architecture: id, name }, tx);
    const changed = all.some(({ id, state }) => known[id] !== state);
    if (changed)
      await tx
        .update(settings)
        .set({ value: { ...known, ...states } })
        .where(eq(settings.name, SETTING));
    return retired.length;
  });
}
