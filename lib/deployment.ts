import { hostname } from 'node:os';
import { eq, sql } from 'drizzle-orm';
import { db } from '#lib/db/client';
import { settings } from '#lib/db/schema';
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
  const [row] = await db().select({ value: settings.value }).from(settings).where(eq(settings.name, SETTING));
  const first = row?.value as Fingerprint;
  const differs = (['store', 'key'] as const).filter(part => own[part] !== first[part]);
  if (differs.length === 0) return;
  const names = { store: 'another store of media', key: 'another secret key' };
  throw new StartError(
    `This process has ${differs.map(part => names[part]).join(' and ')} than the deployment on this database, which ${first.host} began. ` +
      `${differs.map(part => ADVICE[part]).join('. ')}. If the change is meant, stop every process and run: npm run pomona -- deployment adopt`,
  );
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
