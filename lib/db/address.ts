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

/** File with the port and password of the embedded database on Windows, which has no unix sockets. */
export const loginFile = (): string => join(env().DATA_DIR, 'postgres-login.json');

/** Path of the embedded cluster, or of a link to it. */
export const clusterLink = (): string => join(env().DATA_DIR, 'postgres');

/** Returns the folder of the unix socket: the cluster, or one in /tmp, as socket paths have at most 103 bytes. */
export function socketFolder(cluster: string): string {
  if (Buffer.byteLength(cluster) <= 85) return cluster;
  return `/tmp/pomona-${hash('sha256', cluster).slice(0, 16)}`;
}

/** Returns the address of an embedded cluster from its real path, the same for all processes on one DATA_DIR. */
export function embeddedAddress(cluster: string): DatabaseAddress {
  const login =
    process.platform === 'win32'
      ? { host: '127.0.0.1', ...(JSON.parse(readFileSync(loginFile(), 'utf8')) as { port: number; password: string }) }
      : { host: socketFolder(cluster), port: 5432 };
  return { ...login, user: EMBEDDED_USER, database: 'postgres', ssl: false };
}

/** Returns an address that bypasses a pooler, for notifications and for locks that outlive a transaction. */
export function directAddress(): DatabaseAddress {
  const { DATABASE_DIRECT_URL } = env();
  return DATABASE_DIRECT_URL ? { connectionString: DATABASE_DIRECT_URL } : databaseAddress();
}

/** Returns the address of the database: DATABASE_URL, or the embedded database of DATA_DIR. Throws a `StartError`. */
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
