import { pool } from '#lib/db/client';
import { takerOf } from '#lib/engines/serving';
import { liveIn } from '#lib/status';

/**
 * SQL for the places of server `s` that its claimed requests `r` occupy, counted as in `claim_generations`. Requests
 * whose output is being stored occupy none while they are no more than the server's places; the limit keeps a fast
 * engine from filling the disk.
 */
export const PLACES_TAKEN = 'greatest(count(*) filter (where r.made_at is null), count(*) - s.places)::int';

/** Live requests of an engine. */
interface LiveLoad {
  engine: string;
  queued: number;
  in_progress: number;
  /** Seconds since the oldest waiting request was accepted; null when none waits. */
  oldest: number | null;
}

interface Row {
  line: string;
  architecture: string;
  modelId: string;
  accepted: string;
  at: string | null;
  waits: boolean;
  count: number;
  oldest: number;
}

const LIVE = `
  select line, architecture, model_id as "modelId", engine as accepted, split_part(server, '/', 1) as at, worker is null as waits,
    count(*)::int as count, extract(epoch from now() - min(created_at))::float as oldest
  from requests where ${liveIn()} group by 1, 2, 3, 4, 5, 6`;

/** Returns the live requests by the engine that runs or will run them; by default, the one they were accepted for. */
export async function readLiveLoads(): Promise<LiveLoad[]> {
  const { rows } = await pool().query<Row>(LIVE);
  const loads = new Map<string, LiveLoad>();
  for (const { waits, at, accepted, count, oldest, ...variant } of rows) {
    const engine = (waits ? takerOf(variant) : at) ?? accepted;
    const load = loads.get(engine) ?? { engine, queued: 0, in_progress: 0, oldest: null };
    load[waits ? 'queued' : 'in_progress'] += count;
    if (waits) load.oldest = Math.max(load.oldest ?? 0, oldest);
    loads.set(engine, load);
  }
  return [...loads.values()];
}
