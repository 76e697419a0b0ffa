import { hostname } from 'node:os';
import { pool } from '#lib/db/client';
import type { Server } from '#lib/engines/server';
import { SILENCE_MS, type Fence } from '#lib/life/claim';
import { LIVE_LIST } from '#lib/status';
import { log } from '#lib/log';

const BEAT_MS = 3_000;
/** Gap between answers after which the database may have been out for so long that a living worker looks dead. */
const STALL_MS = SILENCE_MS - BEAT_MS;

interface Presence {
  /** Whether the database has been reachable for long enough that every living worker has sent a heartbeat. */
  isSteady(): boolean;
  stop(): Promise<void>;
}

/** Sends a heartbeat for this worker every three seconds. `onBeat` receives its claims according to the database. */
export async function startPresence(
  worker: string,
  own: readonly Server[],
  onBeat: (held: readonly Fence[], askedAt: number) => Promise<void>,
): Promise<Presence> {
  let steadySince = performance.now();
  let answeredAt = steadySince;
  /** Whether the rows of the worker's own servers are written too. */
  let isComplete = false;
  await beat();
  const timer = setInterval(() => {
    beat().catch((error: unknown) => {
      steadySince = Infinity;
      log().warn({ err: error }, 'presence not written');
    });
  }, BEAT_MS);
  return {
    isSteady: () => performance.now() - steadySince > SILENCE_MS && performance.now() - answeredAt <= STALL_MS,
    async stop() {
      clearInterval(timer);
      // on failure, a sweep deletes the row later
      await pool()
        .query('delete from workers where id = $1', [worker])
        .catch((error: unknown) => log().warn({ err: error }, 'presence not removed'));
    },
  };

  async function beat(): Promise<void> {
    const askedAt = performance.now();
    const { rows } = await pool().query<{ fresh: boolean; held: Fence[] }>({
      name: 'beat',
      text: `
        with seen as (
          insert into workers (id, host, pid) values ($1, $2, $3)
          on conflict (id) do update set seen_at = excluded.seen_at returning xmax = 0 as fresh
        )
        select fresh, array(
          select json_build_object('id', id, 'claim', claim) from requests where worker = $1 and status in (${LIVE_LIST})
        ) as held from seen`,
      values: [worker, hostname(), process.pid],
    });
    const { fresh, held } = rows[0]!;
    // the row is new, or was deleted after a long silence
    if (fresh || !isComplete) {
      isComplete = false;
      await addServers(worker, own);
      isComplete = true;
    }
    const now = performance.now();
    if (steadySince === Infinity || now - answeredAt > STALL_MS) steadySince = now;
    answeredAt = now;
    await onBeat(held, askedAt);
  }
}

/** Registers the servers inside this process; their rows are deleted with the worker's row. */
async function addServers(worker: string, own: readonly Server[]): Promise<void> {
  await pool().query(
    `insert into servers (id, engine, worker, places)
    select id, engine, $1, places from unnest($2::text[], $3::text[], $4::int[]) as own (id, engine, places)
    on conflict do nothing`,
    [worker, own.map(({ id }) => id), own.map(({ engine }) => engine), own.map(({ places }) => places)],
  );
}
