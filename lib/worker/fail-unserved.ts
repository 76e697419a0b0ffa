import { fileCatalog } from '#lib/catalog/catalog';
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { refreshAbilities } from '#lib/catalog/engine-abilities';
import { db, pool } from '#lib/db/client';
import { inPortions } from '#lib/db/in-portions';
import { requests } from '#lib/db/schema';
import { engines } from '#lib/engines/engines';
import { PREVIEW, takerOf } from '#lib/engines/serving';
import { finish } from '#lib/life/finish';
import { liveIn } from '#lib/status';

/** Consecutive runs, one a minute, in which a line may be unserved, so that an engine can be reconfigured meanwhile. */
const PATIENCE = 10;

/** Setting with the number of consecutive runs that found each line unserved. */
const SETTING = 'unserved_lines';

interface Line {
  line: string;
  architecture: string;
  model_id: string;
}

/** Fails and refunds requests that wait in a line that no engine of this deployment serves. Returns their number. */
export async function failUnserved(): Promise<number> {
  await refreshAbilities();
  if (await isPartOfServers()) return 0;
  const { rows } = await pool().query<Line>(
    `select distinct on (line) line, architecture, model_id from requests where ${liveIn()} and worker is null order by line`,
  );
  const unserved = rows.filter(row => !isServed(row)).map(({ line }) => line);
  let failed = 0;
  for (const [line, looks] of await countLooks(unserved)) {
    if (looks <= PATIENCE) continue;
    failed += await inPortions(() => failSome(line), undefined, AT_A_TIME);
  }
  return failed;
}

/** Requests per transaction, which refunds each one separately while their accounts are locked. */
const AT_A_TIME = 200;

/** Fails some requests of a line. Returns how many were waiting; some may have ended in the meantime. */
async function failSome(line: string): Promise<number> {
  const isFree = isNull(requests.worker);
  const waiting = and(sql.raw(liveIn()), eq(requests.line, line), isFree);
  const ids = db().select({ id: requests.id }).from(requests).where(waiting).limit(AT_A_TIME);
  const some = (await ids).map(({ id }) => id);
  const message =
    'The model was taken out of service before its turn came. Choose another model; the gems were refunded.';
  await finish(and(inArray(requests.id, some), isFree), {
    status: 'failed',
    message,
    cause: `nothing serves ${line}`,
  });
  return some.length;
}

/** Whether the `servers` table lists an engine that only the settings of another process define. */
async function isPartOfServers(): Promise<boolean> {
  const known = engines().map(({ id }) => id);
  const { rows } = await pool().query('select from servers where worker is null and engine <> all($1) limit 1', [
    known,
  ]);
  return rows.length > 0;
}

/**
 * Whether a line is served. An engine may still name a model that was removed from the catalog, which no worker takes.
 */
const isServed = ({ line, architecture, model_id: modelId }: Line): boolean =>
  takerOf({ line, architecture, modelId }) !== null && (line === PREVIEW || isInCatalog(architecture, modelId));

const isInCatalog = (architecture: string, modelId: string): boolean =>
  fileCatalog().find(architecture)?.model_ids.includes(modelId) ?? false;

/** Increments the count of each unserved line, and drops the other lines. */
async function countLooks(unserved: string[]): Promise<[line: string, looks: number][]> {
  const { rows } = await pool().query<{ value: Record<string, number> }>(
    `insert into settings as s (name, value)
    select $1, coalesce(jsonb_object_agg(line, 1), '{}') from unnest($2::text[]) line
    on conflict (name) do update set value = (
      select coalesce(jsonb_object_agg(line, coalesce((s.value ->> line)::int, 0) + 1), '{}') from unnest($2::text[]) line
    ) returning value`,
    [SETTING, unserved],
  );
  return Object.entries(rows[0]!.value);
}
