import { catalog } from '#lib/catalog/catalog';
import type { EngineWire } from '#lib/contract/account-schemas';
import { pool } from '#lib/db/client';
import { getEngine } from '#lib/engines/registry';
import { engineIds, servingOf } from '#lib/engines/serving';
import { LIVE_LIST } from '#lib/life/status';

interface Load {
  engine: string;
  workers: number;
  slots: number;
  queued: number;
  in_progress: number;
  oldest: number | null;
}

const LOAD = `
  select engine, coalesce(w.workers, 0) as workers, coalesce(w.slots, 0) as slots, coalesce(r.queued, 0) as queued,
    coalesce(r.in_progress, 0) as in_progress, r.oldest
  from unnest($1::text[]) as engine
    left join lateral (
      select count(distinct worker)::int as workers, sum(places)::int as slots from servers
      where servers.engine = engine.engine and ok
    ) w on true
    left join lateral (
      select (count(*) filter (where status = 'queued'))::int as queued, (count(*) filter (where status = 'in_progress'))::int as in_progress,
        (extract(epoch from now() - min(created_at) filter (where status = 'queued')))::float as oldest
      from requests where requests.engine = engine.engine and status in (${LIVE_LIST})
    ) r on true`;

/** Every engine: whether it answers, what it serves, its workers and its queue. */
export async function readEngines(): Promise<EngineWire[]> {
  const { rows } = await pool().query<Load>(LOAD, [engineIds()]);
  return await Promise.all(
    rows.map(async ({ engine: id, oldest, ...load }) => {
      const { ok, version, detail } = await (await getEngine(id)).probe();
      return {
        id,
        architectures: catalog()
          .all()
          .filter(architecture => servingOf(architecture.id, architecture.default_model_id).engine === id)
          .map(architecture => architecture.id),
        ok,
        version: version ?? null,
        detail: detail ?? null,
        ...load,
        oldest_queued_seconds: oldest,
      };
    }),
  );
}
