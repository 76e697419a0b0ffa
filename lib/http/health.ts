import { pool } from '#lib/db/client';
import { remembered } from '#lib/remembered';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';
import { liveIn } from '#lib/status';
import { storage } from '#lib/storage/store';

/** A part of the deployment, with figures of its own. */
interface Part {
  ok: boolean;
  /** It was started a moment ago and is not expected to answer yet. */
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

/** Whoever asks more often is told the same again. */
const FRESH_MS = 1_000;
/** To see whether a store can be written, something has to be written. */
const STORE_FRESH_MS = 60_000;
/** A worker loads its engines before it says that it lives. */
const WORKER_START_MS = 30_000;

/** Whether each part of the deployment does its work. */
export const checkHealth = (): Promise<Health> => remembered('health', FRESH_MS, askAll);

/** Whether this web process can answer at all: what else is out, is out for the others, too. */
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

/** What failed last time, so that it is logged once. */
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

/** Nothing is wrong yet. */
class Starting extends Error {}

async function readQueue() {
  const { rows } = await pool().query<{ waiting: number; oldest_seconds: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from now() - min(created_at)), 0)::float as oldest_seconds
    from requests where ${liveIn()} and status = 'queued'`,
  );
  return rows[0] ?? { waiting: 0, oldest_seconds: 0 };
}

/** Worker processes that said lately that they live. */
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
