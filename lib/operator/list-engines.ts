import { isDeepStrictEqual } from 'node:util';
import { catalog } from '#lib/catalog/catalog';
import { checkDocument } from '#lib/catalog/check-document';
import type { EngineWire } from '#lib/contract/engine-schemas';
import { pool } from '#lib/db/client';
import { documents } from '#lib/documents/documents';
import { badFiles, checkFileHere } from '#lib/documents/mirror';
import { engines, ENGINES_DOCUMENT, enginesOfSettings } from '#lib/engines/engines';
import { loadsModels, serverId } from '#lib/engines/registry';
import { engineIds, PREVIEW, servingOf } from '#lib/engines/serving';
import { PLACES_TAKEN, readLiveLoads } from '#lib/life/live-loads';
import { LIVE_LIST } from '#lib/status';
import { entriesOf } from '#lib/operator/engine-entries';
import { sum } from '#lib/sum';

interface ServerRow {
  id: string;
  engine: string;
  places: number;
  ok: boolean;
  busy: number;
  loaded: string | null;
  version: string | null;
  detail: string | null;
  trouble: string | null;
  trouble_at: Date | null;
  answered_at: Date | null;
  missing: { architecture: string; modelId: string; names: string[] }[];
  models: string[];
}

const SERVERS = `
  select id, engine, places, ok, loaded, version, detail, trouble, trouble_at, answered_at, missing, models,
    (select ${PLACES_TAKEN} from requests r
      where r.status in (${LIVE_LIST}) and r.worker is not null and r.server = s.id) as busy
  from servers s order by id`;

/** Median duration of each engine's completed requests: the last twenty per model within the last day. */
const PACE = `
  select made.engine, (percentile_cont(0.5) within group (order by made.seconds))::float as seconds
  from unnest($1::text[], $2::text[]) as line(architecture, model_id)
  cross join lateral (
    select engine, extract(epoch from finished_at - started_at) as seconds from requests
    where architecture = line.architecture and model_id = line.model_id and status = 'completed' and started_at is not null
      and finished_at > now() - interval '1 day'
    order by finished_at desc limit 20
  ) made
  group by made.engine`;

/** Lists every engine with its servers, architectures and queue, and the configuration files that cannot be used. */
export async function listEngines(): Promise<{ data: EngineWire[]; problems: { file: string; message: string }[] }> {
  const problems = badFiles().map(({ file, wrong }) => ({ file, message: wrong }));
  return { data: await readEngines(), problems: [...problems, ...supersededSettings()] };
}

/** Reads engines.json on this machine. Returns its problem; null when it has none. */
export const problemOfEnginesFile = () => checkFileHere(ENGINES_DOCUMENT, checkDocument);

/** Returns a problem for each setting that differs from engines.json, which takes precedence over it. */
const supersededSettings = () =>
  enginesOfSettings()
    .filter(
      ({ id, servers }) => !isDeepStrictEqual(urlsOf(servers), urlsOf(engines().find(one => one.id === id)?.servers)),
    )
    .map(({ id }) => ({
      file: 'COMFYUI_URL',
      message: `${ENGINES_DOCUMENT} has ${id}, since it was changed there, and that applies. Change its addresses there, or remove the setting.`,
    }));

const urlsOf = (servers: readonly { url: string }[] = []): string[] => servers.map(({ url }) => url);

async function readEngines(): Promise<EngineWire[]> {
  const lines = catalog()
    .all()
    .flatMap(({ id, model_ids }) => model_ids.map(model => [id, model] as const));
  const [{ rows: servers }, loads, { rows: paces }] = await Promise.all([
    pool().query<ServerRow>(SERVERS),
    readLiveLoads(),
    pool().query<{ engine: string; seconds: number }>(PACE, [lines.map(([id]) => id), lines.map(([, model]) => model)]),
  ]);
  const inFile = entriesOf(documents().get(ENGINES_DOCUMENT));
  return engineIds().map(id => {
    const entry = engines().find(one => one.id === id);
    const own = servers.filter(({ engine }) => engine === id);
    const load = loads.find(({ engine }) => engine === id);
    const known = new Map(
      entry?.servers.map(server => [serverId(entry, server), { ...server, loads: loadsModels(entry, server) }]),
    );
    return {
      id,
      type: entry?.type ?? PREVIEW,
      from: entry ? (inFile.some(one => one.id === id) ? 'file' : 'setting') : 'built-in',
      paused: entry?.paused ?? false,
      architectures: catalog()
        .all()
        .filter(({ id: architecture, model_ids }) =>
          model_ids.some(model => servingOf(architecture, model)?.engine === id),
        )
        .map(architecture => architecture.id),
      ok: own.some(({ ok }) => ok),
      servers: own.map(({ id: server, ok, places, busy, loaded, version, detail, models, ...row }) => ({
        id: server,
        url: known.get(server)?.url ?? null,
        ok,
        places,
        busy,
        loaded: known.get(server)?.loads ? loaded : null,
        version,
        detail,
        trouble: row.trouble,
        trouble_at: row.trouble_at?.toISOString() ?? null,
        answered_at: row.answered_at?.toISOString() ?? null,
        models,
        missing: row.missing.map(({ architecture, modelId, names }) => ({
          architecture,
          model_id: modelId,
          lacks: names,
        })),
      })),
      places: sum(own.map(({ ok, places }) => (ok ? places : 0))),
      queued: load?.queued ?? 0,
      in_progress: load?.in_progress ?? 0,
      oldest_queued_seconds: load?.oldest ?? null,
      median_seconds: paces.find(({ engine }) => engine === id)?.seconds ?? null,
    };
  });
}
