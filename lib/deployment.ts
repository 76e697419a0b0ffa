import { hostname } from 'node:os';
import { eq, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { settings } from '#lib/db/schema';
import { log } from '#lib/log';
import { secret } from '#lib/secrets';
import { StartError } from '#lib/start-error';
import { storage } from '#lib/storage/store';

/** What all processes on one database have in common, as the first of them wrote it down; no secret can be read from it. */
interface Fingerprint {
  store: string;
  key: string;
  /** The machine that wrote it. */
  host: string;
}

const SETTING = 'deployment';
const CLOCK_SECONDS = 5;

const ADVICE = {
  store: 'Set the same STORAGE_URL on every machine, or share the folder with the media',
  key: 'Set the same SECRET_KEY on every machine, or copy the secret-key file of DATA_DIR',
} as const;

/**
 * Throws `StartError` when this process keeps media elsewhere than the others on its database, or seals with another key: what
 * it made could not be found or opened by them.
 */
export async function requireSameDeployment(): Promise<void> {
  const own = await fingerprint();
  await db().insert(settings).values({ name: SETTING, value: own }).onConflictDoNothing();
  const [row] = await db()
    .select({ value: settings.value, now: sql<number>`extract(epoch from clock_timestamp())::float8` })
    .from(settings)
    .where(eq(settings.name, SETTING));
  tellClock(row!.now);
  const first = row!.value as Fingerprint;
  const differs = (['store', 'key'] as const).filter(part => own[part] !== first[part]);
  if (differs.length === 0) return;
  const names = { store: 'another store of media', key: 'another secret key' };
  throw new StartError(
    `This process has ${differs.map(part => names[part]).join(' and ')} than the deployment on this database, which ${first.host} began. ` +
      `${differs.map(part => ADVICE[part]).join('. ')}. If the change is meant, stop every process and run: npm run pomona -- deployment adopt`,
  );
}

/** What is signed on one machine and looked at on another, such as an upload or the code of an app, would be over too soon or too late. */
function tellClock(now: number): void {
  const seconds = Math.round(Date.now() / 1000 - now);
  if (Math.abs(seconds) < CLOCK_SECONDS) return;
  const how = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the database`;
  log().warn({ seconds }, `the clock of this machine is ${how}: have both set by NTP`);
}

/** Takes this process's store and key for the deployment's from now on. */
export async function adoptDeployment(): Promise<void> {
  const value = await fingerprint();
  await db()
    .insert(settings)
    .values({ name: SETTING, value })
    .onConflictDoUpdate({ target: settings.name, set: { value: sql`excluded.value` } });
}

const fingerprint = async (): Promise<Fingerprint> => ({
  store: await storage().identity(),
  key: secret('fingerprint').toString('hex'),
  host: hostname(),
});
