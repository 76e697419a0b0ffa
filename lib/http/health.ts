import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { storage } from '#lib/storage/store';

/** A part of the deployment, with figures of its own. */
interface Part {
  ok: boolean;
  [figure: string]: unknown;
}

export interface Health {
  ok: boolean;
  database: Part;
  queue: Part;
  worker: Part;
  storage: Part;
}

/** Whether each part of the deployment does its work; asks every one of them now. */
export async function checkHealth(): Promise<Health> {
  const [database, queue, worker, store] = await Promise.all([
    part('database', () =>
      pool()
        .query('select 1')
        .then(() => ({})),
    ),
    part('queue', readQueue),
    part('worker', readWorkers),
    part('storage', () =>
      storage()
        .check()
        .then(() => ({})),
    ),
  ]);
  return { ok: database.ok && queue.ok && worker.ok && store.ok, database, queue, worker, storage: store };
}

async function part(name: string, check: () => Promise<object>): Promise<Part> {
  try {
    return { ok: true, ...(await check()) };
  } catch (error) {
    log().warn({ err: error, part: name }, 'health check failed');
    return { ok: false };
  }
}

async function readQueue() {
  const { rows } = await pool().query<{ waiting: number; oldest_seconds: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float as oldest_seconds
    from requests where status = 'queued'`,
  );
  return rows[0] ?? { waiting: 0, oldest_seconds: 0 };
}

async function readWorkers() {
  const { rows } = await pool().query<{ alive: number }>(
    `select count(*)::int as alive from workers where seen_at > now() - interval '15 seconds'`,
  );
  const alive = rows[0]?.alive ?? 0;
  if (alive === 0) throw new Error('no worker has been seen for 15 seconds');
  return { alive };
}
