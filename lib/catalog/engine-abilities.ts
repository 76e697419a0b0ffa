import { pool } from '#lib/db/client';
import { follow } from '#lib/db/follow';
import { noteInabilities } from '#lib/engines/abilities';
import { singleton } from '#lib/singleton';

/** Told whenever a server was asked what it has. */
export const PROBED_CHANNEL = 'pomona_probed';

const last = () => singleton('catalog.abilities', () => ({ text: '' }));

/** Learns with each probe what the engines can make, whichever worker asked them. */
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
