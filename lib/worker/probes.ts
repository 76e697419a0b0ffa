import { PROBED_CHANNEL } from '#lib/catalog/engine-abilities';
import { pool } from '#lib/db/client';
import { storable } from '#lib/db/storable';
import { engines, strangeEngine } from '#lib/engines/engines';
import type { ProbeResult } from '#lib/engines/engine';
import { letGoOthers, serverId, use } from '#lib/engines/registry';
import { lineOf } from '#lib/engines/serving';
import { ringDoorbell, WAITING_CHANNEL } from '#lib/life/doorbell';
import { log } from '#lib/log';
import { orAborted } from '#lib/process/or-aborted';
import { keepLooking, type Loop } from '#lib/worker/loop';

/** Interval between probes of a server; each probe is made by whichever worker is first. */
const EVERY_SECONDS = 10;
const LIMIT_MS = 20_000;

/** Keeps the `servers` table up to date: the configured servers, whether each answers, and what it lacks. */
export function startProbes(): Pick<Loop, 'stop'> {
  const stopped = new AbortController();
  const loop = keepLooking('servers to probe', async () => {
    await probeDue(stopped.signal);
    return false;
  });
  return {
    stop() {
      stopped.abort();
      return loop.stop();
    },
  };
}

async function probeDue(stopped: AbortSignal): Promise<void> {
  const all = engines().flatMap(entry =>
    entry.servers.map(server => ({
      entry,
      server,
      id: serverId(entry, server),
      places: server.places ?? entry.places,
    })),
  );
  letGoOthers(all.map(({ id }) => id));
  await register(all.map(({ id, entry, places }) => ({ id, engine: entry.id, places })));
  if (all.length === 0) return;
  const due = await takeDue(all.map(({ id }) => id));
  await Promise.all(
    all
      .filter(({ id }) => due.has(id))
      .map(async ({ id, entry, server }) => {
        const wasOk = due.get(id)!;
        const found = await probe(() => use(entry, server, engine => engine.probe()), stopped);
        if (!found) return;
        await write(id, JSON.parse(JSON.stringify(found), inStorableText) as ProbeResult);
        if (found.ok !== wasOk) log().info({ server: id, ok: found.ok, detail: found.detail }, 'server probed');
        if (found.ok && !wasOk) ringDoorbell(WAITING_CHANNEL);
      }),
  );
}

/** Writes new, changed and removed servers. Other rows are not locked, to avoid deadlocks with claims. */
async function register(servers: { id: string; engine: string; places: number }[]): Promise<void> {
  await pool().query({
    name: 'register_servers',
    text: `
      with wanted as (select * from unnest($1::text[], $2::text[], $3::int[]) as w (id, engine, places)),
      gone as (delete from servers where id in (
        select id from servers where worker is null and id not in (select id from wanted)
          and (engine is distinct from $4 or checked_at < now() - interval '1 minute')
        for update skip locked))
      insert into servers as s (id, engine, places, ok, checked_at)
      select id, engine, places, false, 'epoch' from wanted w
      where not exists (select from servers s where s.id = w.id and s.places = w.places) order by id
      on conflict (id) do update set places = excluded.places where s.places <> excluded.places`,
    values: [
      servers.map(({ id }) => id),
      servers.map(({ engine }) => engine),
      servers.map(({ places }) => places),
      // servers of this engine may be known to other processes only, so they are deleted once they are no longer probed
      strangeEngine(),
    ],
  });
}

/** Takes the servers due for a probe; returns whether each was up. Rows locked by a claim are left to the next look. */
async function takeDue(ids: string[]): Promise<Map<string, boolean>> {
  const { rows } = await pool().query<{ id: string; ok: boolean }>({
    name: 'take_probes',
    text: `update servers set checked_at = now(), answered_at = case when ok then checked_at else answered_at end
      where id in (
        select id from servers where id = any($1) and worker is null and checked_at < now() - ${EVERY_SECONDS} * interval '1 second'
        for update skip locked)
      returning id, ok`,
    values: [ids],
  });
  return new Map(rows.map(({ id, ok }) => [id, ok]));
}

/** Probes a server with a timeout; null when this process stops first. */
async function probe(ask: () => Promise<ProbeResult>, stopped: AbortSignal): Promise<ProbeResult | null> {
  const late = AbortSignal.timeout(LIMIT_MS);
  try {
    return await orAborted(ask(), AbortSignal.any([stopped, late]));
  } catch (error) {
    if (stopped.aborted) return null;
    const detail = late.aborted ? `no answer within ${LIMIT_MS / 1000} s` : (error as Error).message;
    return { ok: false, models: [], detail };
  }
}

const inStorableText = (_member: string, value: unknown) => (typeof value === 'string' ? storable(value) : value);

/** Writes the result of a probe if it differs from the row. A failed probe keeps version, models and lacks. */
const write = (id: string, { ok, version, detail, models, lacks = [] }: ProbeResult) =>
  pool().query(
    `with written as (update servers set ok = $2, detail = $4, checked_at = now(),
      version = case when $2 then $3 else version end, models = case when $2 then $5 else models end,
      lacks = case when $2 then $6 else lacks end, missing = case when $2 then $7 else missing end,
      answered_at = case when $2 then now() else answered_at end
    where id = $1 and ((ok, detail) is distinct from ($2, $4)
      or $2 and (version, models, lacks, missing) is distinct from ($3, $5, $6, $7))
    returning id) select pg_notify('${PROBED_CHANNEL}', id) from written`,
    [
      id,
      ok,
      version ?? null,
      detail?.slice(0, 500) ?? null,
      models.slice(0, 500),
      lacks.map(({ architecture, modelId }) => lineOf(architecture, modelId)),
      JSON.stringify(lacks),
    ],
  );
