import { hostname } from 'node:os';
import { eq, sql } from 'drizzle-orm';
import { db, pool } from '#lib/db/client';
import { settings } from '#lib/db/schema';
import { log } from '#lib/log';
import { secret } from '#lib/secrets';
import { StartError } from '#lib/start-error';
import { isNewMediaKey } from '#lib/storage/media-key';
import { reachStore } from '#lib/storage/reach-store';
import { storage } from '#lib/storage/store';

/** What all processes of a deployment share, as recorded by the first of them. Reveals no secret. */
interface Fingerprint {
  store: string;
  key: string;
  /** Identity of the database: the Postgres system identifier and the database's oid. Differs after loading a dump. */
  database: string;
  /** Oid of the `settings` table. Differs after loading a dump into the same database. */
  table: string;
  /** Host name of the machine that recorded the fingerprint. */
  host: string;
}

const SETTING = 'deployment';
const THIS_DATABASE = `(select system_identifier from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database())`;
const THIS_TABLE = `'settings'::regclass::oid::text`;
const CLOCK_SECONDS = 5;
const ADOPT = 'stop every process and run: npm run pomona -- deployment adopt';

const ADVICE = {
  store: 'Set the same STORAGE_URL on every machine, or share the folder with the media',
  key: 'Set the same SECRET_KEY on every machine, or copy the secret-key file of DATA_DIR',
} as const;

/**
 * Throws `StartError` when this process uses another media store or secret key than the other processes on its
 * database, which could not find its media or open what it sealed; and when the database does not belong to the media
 * in the store, because the retention sweep would delete them.
 */
export async function requireSameDeployment(): Promise<void> {
  const own = await fingerprint();
  await refuseStrangeMedia();
  await db()
    .insert(settings)
    .values({ name: SETTING, value: fromNowOn(own) })
    // a fingerprint recorded by an older version has no `database` or `table`, so this fills them in
    .onConflictDoUpdate({
      target: settings.name,
      set: {
        value: sql`jsonb_build_object('database', excluded.value -> 'database', 'table', excluded.value -> 'table') || ${settings.value}`,
      },
    });
  const [row] = await db()
    .select({ value: settings.value, now: sql<number>`extract(epoch from clock_timestamp())::float8` })
    .from(settings)
    .where(eq(settings.name, SETTING));
  tellClock(row!.now);
  const first = row!.value as Fingerprint;
  const differs = (['store', 'key'] as const).filter(part => own[part] !== first[part]);
  if (differs.length === 0) return requireSameDatabase(own, first);
  const names = { store: 'a different store of media', key: 'a different secret key' };
  throw new StartError(
    `This process has ${differs.map(part => names[part]).join(' and ')} than the deployment on this database, which ${first.host} started. ` +
      `${differs.map(part => ADVICE[part]).join('. ')}. If the change is intended, ${ADOPT}`,
  );
}

/** Refuses a new database on a store that already holds media: the retention sweep would delete them all as unknown. */
async function refuseStrangeMedia(): Promise<void> {
  if ((await isBegun()) || !(await holdsMedia())) return;
  // checked again: another process may have recorded its fingerprint and stored these media meanwhile
  if (await isBegun()) return;
  throw new StartError(
    'The database is new and does not know the media that are already there. Set the DATABASE_URL or DATA_DIR that they belong to, ' +
      'load the dump of their database (docs/running.md says how), or set another STORAGE_URL or DATA_DIR to start fresh. ' +
      `To use this database with these media anyway, ${ADOPT}`,
  );
}

/** Whether the database is in use. Media and uploads count too, because plain `next start` records no fingerprint. */
async function isBegun(): Promise<boolean> {
  const { rows } = await pool().query<{ begun: boolean }>(
    `select exists (select from settings where name = $1) or exists (select from media) or exists (select from uploads) as begun`,
    [SETTING],
  );
  return rows[0]!.begun;
}

async function holdsMedia(): Promise<boolean> {
  for await (const { key } of storage().list('')) if (isNewMediaKey(key)) return true;
  return false;
}

function requireSameDatabase(own: Fingerprint, first: Fingerprint): void {
  if (own.database === first.database && own.table === first.table) return;
  throw new StartError(
    `The database was loaded from a dump or moved since ${first.host} started the deployment, and its media may be in use with the one ` +
      'before: to try something out, set STORAGE_URL to a copy of them. ' +
      `If it replaces the one before, or its Postgres was upgraded, ${ADOPT}`,
  );
}

/**
 * SQL for the time since which this database knows the files of a store; `store` is a query parameter such as `$1`.
 * Yields no row when the database is not the deployment's: running processes are not told when it is replaced.
 */
export const filesSince = (store: string): string => `
  select coalesce((value ->> 'since')::timestamptz, '-infinity') as since from settings
  where name = '${SETTING}' and value ->> 'store' = ${store} and value ->> 'database' = ${THIS_DATABASE}
    and coalesce(value ->> 'table', ${THIS_TABLE}) = ${THIS_TABLE}`;

/** Warns of clock skew, with which uploads and app codes signed on another machine expire too early or too late. */
function tellClock(now: number): void {
  const seconds = Math.round(Date.now() / 1000 - now);
  if (Math.abs(seconds) < CLOCK_SECONDS) return;
  const how = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the database`;
  log().warn({ seconds }, `the clock of this machine is ${how}: synchronise both with NTP`);
}

/**
 * Records this process's store, key and database as the deployment's. With `sweep`, files unknown to the database are
 * treated as orphans and deleted; otherwise files that already exist are kept, as they may belong to another database.
 */
export async function adoptDeployment({ sweep = false } = {}): Promise<void> {
  const own = await fingerprint();
  await db()
    .insert(settings)
    .values({ name: SETTING, value: sweep ? own : fromNowOn(own) })
    .onConflictDoUpdate({ target: settings.name, set: { value: sql`excluded.value` } });
}

const fromNowOn = (own: Fingerprint) => sql`${JSON.stringify(own)}::jsonb || jsonb_build_object('since', now())`;

async function fingerprint(): Promise<Fingerprint> {
  const { rows } = await pool().query<{ database: string; table: string }>(
    `select ${THIS_DATABASE} as database, ${THIS_TABLE} as table`,
  );
  return {
    store: await reachStore('STORAGE_URL', () => storage().identity()),
    key: secret('fingerprint').toString('hex'),
    ...rows[0]!,
    host: hostname(),
  };
}
