import { pool } from '#lib/db/client';
import type { Generation } from '#lib/generations/generation';
import { singleton } from '#lib/singleton';

const FRESH_MS = 30_000;

interface Typical {
  /** Median seconds from start to end of the last completed generations; null when there are none. */
  seconds: Promise<number | null>;
  readAt: number;
}

const typicals = () => singleton('generations.eta', () => new Map<string, Typical>());

/** Seconds until a request in progress is probably done, from this deployment's own history; null when unknown or queued. */
export async function etaSeconds(generation: Generation): Promise<number | null> {
  if (generation.status !== 'in_progress' || !generation.startedAt) return null;
  const typical = await typicalSeconds(generation.architecture, generation.modelId);
  if (typical === null) return null;
  const running = (Date.now() - generation.startedAt.getTime()) / 1000;
  return Math.max(0, Math.round((typical - running) * 10) / 10);
}

function typicalSeconds(architecture: string, modelId: string): Promise<number | null> {
  const key = `${architecture}/${modelId}`;
  const known = typicals().get(key);
  if (known && Date.now() - known.readAt < FRESH_MS) return known.seconds;
  const seconds = readMedian(architecture, modelId);
  typicals().set(key, { seconds, readAt: Date.now() });
  // a failed read is not kept
  seconds.catch(() => typicals().delete(key));
  return seconds;
}

async function readMedian(architecture: string, modelId: string): Promise<number | null> {
  const { rows } = await pool().query<{ seconds: number | null }>({
    name: 'typical_seconds',
    text: `select percentile_cont(0.5) within group (order by extract(epoch from finished_at - started_at)) as seconds
      from (select model_id, started_at, finished_at from requests
        where architecture = $1 and status = 'completed' order by finished_at desc limit 50) latest
      where model_id = $2 and started_at is not null`,
    values: [architecture, modelId],
  });
  return rows[0]?.seconds ?? null;
}
