import { pool } from '#lib/db/client';
import { remembered } from '#lib/remembered';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';
import { liveIn } from '#lib/status';
import { storage } from '#lib/storage/store';

/** A part of the deployment, with its own figures. */
interface Part {
  ok: boolean;
  /** Whether the part was just started and need not answer yet. */
  starting?: true;
  [figure: string]: unknown;
}

interface Health {
  ok: boolean;
  database: Part;
  queue: Part;
  worker: Part;
  storage: Part;
}

/** How long a result is reused. */
const FRESH_MS = 1_000;
/** How long a result of the store is reused: its check writes a file. */
const STORE_FRESH_MS = 60_000;
/** Grace period of a worker, which loads its engines before its first sign of life. */
const WORKER_START_MS = 30_000;

/** Returns the health of every part of the deployment. */
export const checkHealth = (): Promise<Health> => remembered('health', FRESH_MS, askAll);

/** Returns whether this web process can answer. Other parts are left out: their failure affects every process alike. */
export const checkWeb = (): Promise<Part> => remembered('health.web', FRESH_MS, askDatabase);

const askDatabase = () => part('database', async () => void (await pool().query('select 1')));

async function askAll(): Promise<Health> {
  const [database, queue, worker, store] = await Promise.all([
    checkWeb(),
    part('queue', readQueue),
    part('worker', readWorkers),
    part('storage', () => remembered('health.storage', STORE_FRESH_MS, () => storage().check())),
  ]);
  return { ok: database.ok && queue.ok && worker.ok && store.ok, database, queue, worker, storage: store };
}

/** Parts that failed the last check, so that a failure is logged only once. */
const failing = () => singleton('http.failing', () => new Set<string>());

async function part(name: string, check: () => Promise<object | void>): Promise<Part> {
  try {
    const figures = await check();
    failing().delete(name);
    return { ok: true, ...figures };
  } catch (error) {
    if (error instanceof Starting) return { ok: false, starting: true };
    if (!failing().has(name)) log().warn({ err: error, part: name }, 'health check failed');
    failing().add(name);
    return { ok: false };
  }
}

/** Signals a part that is still starting. */
class Starting extends Error {}

async function readQueue() {
  const { rows } = await pool().query<{ waiting: number; oldest_seconds: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float as oldest_seconds
    from requests where ${liveIn()} and status = 'queued'`,
  );
  return rows[0] ?? { waiting: 0, oldest_seconds: 0 };
}

/** Returns the number of worker processes seen in the last 15 seconds. */
export async function countWorkers(): Promise<number> {
  const { rows } = await pool().query<{ alive: number }>(
    `select count(*)::int as alive from workers where seen_at > now() - interval '15 seconds'`,
  );
  return rows[0]?.alive ?? 0;
}

async function readWorkers() {
  const alive = await countWorkers();
  if (alive > 0) return { alive };
  throw performance.now() < WORKER_START_MS ? new Starting() : new Error('no worker has been seen for 15 seconds');
}
