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

/** What all processes on one database have in common, as the first of them wrote it down; no secret can be read from it. */
interface Fingerprint {
  store: string;
  key: string;
  /** The database itself, as its server tells it from all others: one that was loaded from a dump is another one. */
  database: string;
  /** Its table of settings: where a dump was loaded into the same database, it is another one. */
  table: string;
  /** The machine that wrote it. */
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
 * Throws `StartError` when this process keeps media elsewhere than the others on its database, or seals with another key: what
 * it made could not be found or opened by them. And when its database is not the one of its media, and would delete them.
 */
export async function requireSameDeployment(): Promise<void> {
  const own = await fingerprint();
  await refuseStrangeMedia();
  await db()
    .insert(settings)
    .values({ name: SETTING, value: fromNowOn(own) })
    // one of an older version says nothing of its database, or of its table
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

/** A database that knows none of the files that are there would delete them all. */
async function refuseStrangeMedia(): Promise<void> {
  if ((await isBegun()) || !(await holdsMedia())) return;
  // where another process has just begun, they came after its row
  if (await isBegun()) return;
  throw new StartError(
    'The database is new and does not know the media that are already there. Set the DATABASE_URL or DATA_DIR that they belong to, ' +
      'load the dump of their database (docs/running.md says how), or set another STORAGE_URL or DATA_DIR to start fresh. ' +
      `To use this database with these media anyway, ${ADOPT}`,
  );
}

/** Whether anything was begun on the database: plain `next start` writes no row of its own. */
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
 * SQL: since when files in a store, which a parameter names, are known to this database. No row where it is not their database: one that is
 * put in the place of another while processes run is not told to them.
 */
export const filesSince = (store: string): string => `
  select coalesce((value ->> 'since')::timestamptz, '-infinity') as since from settings
  where name = '${SETTING}' and value ->> 'store' = ${store} and value ->> 'database' = ${THIS_DATABASE}
    and coalesce(value ->> 'table', ${THIS_TABLE}) = ${THIS_TABLE}`;

/** What is signed on one machine and looked at on another, such as an upload or the code of an app, would be over too soon or too late. */
function tellClock(now: number): void {
  const seconds = Math.round(Date.now() / 1000 - now);
  if (Math.abs(seconds) < CLOCK_SECONDS) return;
  const how = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the database`;
  log().warn({ seconds }, `the clock of this machine is ${how}: synchronise both with NTP`);
}

/**
 * Takes this process's store, key and database for the deployment's from now on. `sweep`: files that the database does not know are
 * left behind, and go; otherwise those that are there by now stay, for they may be another database's.
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
