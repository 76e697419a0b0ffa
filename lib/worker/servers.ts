import { catalog, type Catalog } from '#lib/catalog/catalog';
import { pool } from '#lib/db/client';
import { storable } from '#lib/db/storable';
import { engines } from '#lib/engines/engines';
import type { EngineEntry } from '#lib/engines/engines-file';
import type { Standing } from '#lib/engines/placement';
import { loadsModels, serverId, use, usePreview } from '#lib/engines/registry';
import type { Server } from '#lib/engines/server';
import { lineOf, PREVIEW, serves } from '#lib/engines/serving';
import { env } from '#lib/env';
import { PLACES_TAKEN } from '#lib/life/live-loads';
import { LIVE_LIST } from '#lib/status';

/** Returns the servers that run inside this process: the preview engine, unless it is off. */
export const ownServers = (worker: string): Server[] =>
  env().PREVIEW === 'off'
    ? []
    : [
        {
          id: `${PREVIEW}/${worker}`,
          engine: PREVIEW,
          places: env().WORKER_CONCURRENCY,
          shared: false,
          lines: [PREVIEW],
          loads: false,
          rank: 0,
          use: usePreview,
        },
      ];

/** Returns the servers of all engines that take work, rebuilt when the engines or the catalog change. */
export function sharedServers(): readonly Server[] {
  const [entries, architectures] = [engines(), catalog()];
  if (last?.entries !== entries || last.architectures !== architectures)
    last = { entries, architectures, servers: entries.flatMap(toServers) };
  return last.servers;
}

let last: { entries: readonly EngineEntry[]; architectures: Catalog; servers: Server[] } | undefined;

function toServers(entry: EngineEntry, rank: number): Server[] {
  if (entry.paused || env().PREVIEW === 'on') return [];
  const lines = catalog()
    .all()
    .flatMap(({ id, model_ids }) =>
      model_ids.filter(model => serves(entry, id, model)).map(model => lineOf(id, model)),
    );
  return entry.servers.map(server => ({
    id: serverId(entry, server),
    engine: entry.id,
    places: server.places ?? entry.places,
    shared: true,
    lines,
    loads: loadsModels(entry, server),
    rank,
    stallSeconds: entry.stall_seconds,
    use: work => use(entry, server, work),
  }));
}

interface Row {
  id: string;
  ok: boolean;
  lacks: string[];
  loaded: string | null;
  /** Seconds since the model was loaded, by the database's clock, since the clocks of machines differ. */
  loaded_for: number | null;
  busy: number;
  longest: number | null;
}

/** Returns the servers that are up, without the lines for which they lack files, and the load of each. */
export async function readStanding(
  known: readonly Server[],
): Promise<{ servers: Server[]; standing: Map<string, Standing> }> {
  if (known.length === 0) return { servers: [], standing: new Map() };
  const { rows } = await pool().query<Row>({
    name: 'servers_standing',
    text: `
      select s.id, s.ok, s.lacks, s.loaded, held.busy, held.longest,
        extract(epoch from now() - s.loaded_at)::float as loaded_for
      from servers s, lateral (
        select ${PLACES_TAKEN} as busy,
          extract(epoch from now() - min(r.started_at) filter (where r.made_at is null))::float as longest
        from requests r where r.status in (${LIVE_LIST}) and r.worker is not null and r.server = s.id
      ) held
      where s.id = any($1)`,
    values: [known.map(({ id }) => id)],
  });
  const found = new Map(rows.map(row => [row.id, row]));
  const servers = known.flatMap(server => {
    const row = found.get(server.id);
    if (!row?.ok) return [];
    const { lacks } = row;
    return lacks.length ? { ...server, lines: server.lines.filter(line => !lacks.includes(line)) } : server;
  });
  const standing = known.flatMap(({ id, loads }): [string, Standing][] => {
    const row = found.get(id);
    if (!row) return [];
    const { busy, longest, loaded, loaded_for } = row;
    const longestMs = (longest ?? 0) * 1000;
    const loadedAt = loaded_for === null ? 0 : Date.now() - loaded_for * 1000;
    return [[id, { busy, longestMs, loaded: loads ? loaded : null, loadedAt }]];
  });
  return { servers, standing: new Map(standing) };
}

/** Maximum rest that a server may ask for; after a longer Retry-After it is probed earlier. */
const MOST_REST_SECONDS = 60;

/** Gives a server no work until a probe succeeds; the probe is postponed by the rest that the server asked for. */
export const markUnreachable = (server: string, detail: string, restSeconds = 0) =>
  rest(server, detail, restSeconds, false);

/** Like `markUnreachable`, for a server that still passes its probes: `trouble` is shown until a job succeeds there. */
export const markTroubled = (server: string, trouble: string, restSeconds = 0) =>
  rest(server, trouble, restSeconds, true);

const rest = (server: string, why: string, seconds: number, isTrouble: boolean) =>
  pool().query(
    `update servers set ok = false, detail = $2, checked_at = now() + $3 * interval '1 second',
      trouble = case when $4 then $2 else trouble end, trouble_at = case when $4 then now() else trouble_at end
    where id = $1 and worker is null`,
    [server, storable(why.slice(0, 500)), Math.min(seconds, MOST_REST_SECONDS), isTrouble],
  );
