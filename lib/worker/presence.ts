import { hostname } from 'node:os';
import { pool } from '#lib/db/client';
import type { Server } from '#lib/engines/server';
import { SILENCE_MS, type Fence } from '#lib/life/claim';
import { LIVE_LIST } from '#lib/status';
import { log } from '#lib/log';

const BEAT_MS = 3_000;
/** Longer without an answer, and another worker, which said a beat before that it lives, may have been kept from saying it again. */
const STALL_MS = SILENCE_MS - BEAT_MS;

interface Presence {
  /** Whether this process was in touch with the database for so long that every living worker has said so meanwhile. */
  isSteady(): boolean;
  stop(): Promise<void>;
}

/** Says every three seconds that this worker lives, and tells each time which live requests it still holds. */
export async function startPresence(
  worker: string,
  own: readonly Server[],
  onBeat: (held: readonly Fence[], askedAt: number) => Promise<void>,
): Promise<Presence> {
  let steadySince = performance.now();
  let answeredAt = steadySince;
  /** Whether its servers are known, too. */
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
      // whoever cannot say goodbye is forgotten after a while
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
    // new, or forgotten after a long silence
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

/** Servers that live in this process end with it. */
async function addServers(worker: string, own: readonly Server[]): Promise<void> {
  await pool().query(
    `insert into servers (id, engine, worker, places)
    select id, engine, $1, places from unnest($2::text[], $3::text[], $4::int[]) as own (id, engine, places)
    on conflict do nothing`,
    [worker, own.map(({ id }) => id), own.map(({ engine }) => engine), own.map(({ places }) => places)],
  );
}
