import { eq } from 'drizzle-orm';
import { refreshArchitectureStates } from '#lib/catalog/architecture-states';
import { catalog } from '#lib/catalog/catalog';
import type { Architecture } from '#lib/catalog/catalog-file';
import { db } from '#lib/db/client';
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
    const [last] = await tx.select().from(settings).where(eq(settings.name, TOLD));
    const told = (last?.value ?? {}) as Record<string, string>;
    const wasTold = (id: string) => now.getTime() - Date.parse(told[id] ?? '') < ONCE_MS;
    const retired = all.filter(({ id, state }) => state === 'retired' && known[id] === 'live' && !wasTold(id));
    for (const { id, name } of retired)
      await announceToAll('architecture.retired', now, { architecture: id, name }, tx);
    if (retired.length > 0) {
      const value = { ...told, ...Object.fromEntries(retired.map(({ id }) => [id, now.toISOString()])) };
      await tx
        .insert(settings)
        .values({ name: TOLD, value })
        .onConflictDoUpdate({ target: settings.name, set: { value } });
    }
    const changed = all.some(({ id, state }) => known[id] !== state);
    if (changed)
      await tx
        .update(settings)
        .set({ value: { ...known, ...states } })
        .where(eq(settings.name, SETTING));
    return retired.length;
  });
}
