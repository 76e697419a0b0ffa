import { pool } from '#lib/db/client';
import { takerOf } from '#lib/engines/serving';
import { liveIn } from '#lib/status';

/**
 * How many places of the server `s` the held requests `r` take, as `claim_generations` counts: what is only being stored takes none
 * as long as no more is than there are places, or an engine that is faster than what stores would fill the disk.
 */
export const PLACES_TAKEN = 'greatest(count(*) filter (where r.made_at is null), count(*) - s.places)::int';

/** The requests of an engine that live. */
interface LiveLoad {
  engine: string;
  queued: number;
  in_progress: number;
  /** Seconds since the first of those that wait was accepted; null where none does. */
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

/** What lives at each engine: at the one that makes it, or will; the one that it was accepted for may be gone by then. */
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
