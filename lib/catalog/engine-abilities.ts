import { pool } from '#lib/db/client';
import { follow } from '#lib/db/follow';
import { noteInabilities } from '#lib/engines/abilities';
import { singleton } from '#lib/singleton';

/** Notified after each probe of a server. */
export const PROBED_CHANNEL = 'pomona_probed';

const last = () => singleton('catalog.abilities', () => ({ text: '' }));

/** Keeps this process up to date with what engines can make, after each probe by any worker. */
export const followAbilities = () => follow(PROBED_CHANNEL, 'what engines can make', refreshAbilities);

export async function refreshAbilities(): Promise<void> {
  const { rows } = await pool().query<{ engine: string; lacks: string[] }>({
    name: 'engine_lacks',
    text: 'select engine, lacks from servers where worker is null and answered_at is not null order by id',
  });
  const text = JSON.stringify(rows);
  if (text === last().text) return;
  last().text = text;
  const inabilities = new Map<string, Set<string>>();
  for (const { engine, lacks } of rows) {
    const others = inabilities.get(engine);
    inabilities.set(engine, new Set(lacks.filter(line => others?.has(line) ?? true)));
  }
  noteInabilities(inabilities);
}
