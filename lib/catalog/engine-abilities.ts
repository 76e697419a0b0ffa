import { pool } from '#lib/db/client';
import { noteInabilities } from '#lib/engines/abilities';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

const EVERY_MS = 2_000;

const last = () => singleton('catalog.abilities', () => ({ text: '' }));

/** Learns within seconds of probes what the engines can make, whichever worker asked them. */
export async function followAbilities(): Promise<void> {
  await refreshAbilities();
  const refresh = () =>
    refreshAbilities().catch((error: unknown) =>
      log().warn({ reason: (error as Error).message }, 'what engines can make was not read; what was known holds'),
    );
  setInterval(() => void refresh(), EVERY_MS).unref();
}

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
