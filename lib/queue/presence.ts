import { pool } from '#lib/db/client';
import { newId } from '#lib/ids';
import { log } from '#lib/log';

const BEAT_MS = 5_000;

/** How many generations of an engine a worker runs at a time. */
export interface EngineSlots {
  engine: string;
  slots: number;
}

/** Says every five seconds that this worker lives and how many slots it has for each engine. */
export async function startPresence(slots: EngineSlots[]): Promise<{ stop(): Promise<void> }> {
  const id = newId();
  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) => log().warn({ err: error }, 'presence not written'));
  }, BEAT_MS);
  return {
    async stop() {
      clearInterval(timer);
      // whoever cannot say goodbye is forgotten after a while
      await pool()
        .query('delete from workers where id = $1', [id])
        .catch((error: unknown) => log().warn({ err: error }, 'presence not removed'));
    },
  };

  async function beat(): Promise<void> {
    await pool().query(
      `insert into workers (id, engine, slots, seen_at)
      select $1, engine, slots, now() from unnest($2::text[], $3::int[]) as live (engine, slots)
      on conflict (engine, id) do update set slots = excluded.slots, seen_at = excluded.seen_at`,
      [id, slots.map(entry => entry.engine), slots.map(entry => entry.slots)],
    );
  }
}
