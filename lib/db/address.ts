import { hash } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { env } from '#lib/env';
import { StartError } from '#lib/start-error';

export type DatabaseAddress = Pick<
  PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'
>;

export const EMBEDDED_USER = 'pomona';

/** Where Windows, which has no unix sockets, keeps the port and the password of the embedded database. */
export const loginFile = (): string => join(env().DATA_DIR, 'postgres-login.json');

/** The embedded cluster, or a link to it. */
export const clusterLink = (): string => join(env().DATA_DIR, 'postgres');

/** A socket's whole path may have 103 bytes; a cluster that lies deeper gets a short folder of its own. */
export function socketFolder(cluster: string): string {
  if (Buffer.byteLength(cluster) <= 85) return cluster;
  return `/tmp/pomona-${hash('sha256', cluster).slice(0, 16)}`;
}

/** The address of an embedded cluster, given its real path: any process on the same DATA_DIR comes to the same one. */
export function embeddedAddress(cluster: string): DatabaseAddress {
  const login =
    process.platform === 'win32'
      ? { host: '127.0.0.1', ...(JSON.parse(readFileSync(loginFile(), 'utf8')) as { port: number; password: string }) }
      : { host: socketFolder(cluster), port: 5432 };
  return { ...login, user: EMBEDDED_USER, database: 'postgres', ssl: false };
}

/** Past a pooler, for what needs a connection of its own: notifications, locks that outlive a transaction. */
export function directAddress(): DatabaseAddress {
  const { DATABASE_DIRECT_URL } = env();
  return DATABASE_DIRECT_URL ? { connectionString: DATABASE_DIRECT_URL } : databaseAddress();
}

/** How this process reaches its database: DATABASE_URL, or the embedded one of DATA_DIR. */
export function databaseAddress(): DatabaseAddress {
  const { DATABASE_URL, DATA_DIR } = env();
  if (DATABASE_URL) return { connectionString: DATABASE_URL };
  try {
    return embeddedAddress(realpathSync(clusterLink()));
  } catch (cause) {
    throw new StartError(`There is no database in ${DATA_DIR} yet. Run npm start once, or set DATABASE_URL.`, {
      cause,
    });
  }
}
