import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';
import { databaseAddress } from '#lib/db/address';
import * as schema from '#lib/db/schema';

// bigint columns hold gems, bytes and seeds, all below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Db = NodePgDatabase<typeof schema>;
/** A transaction or the pool itself: what a query function of a domain takes. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0] | Db;

/** The pool of this process. Statements are cut off after 15 s and connecting after 4 s, so that nothing hangs on a lost database. */
export const pool = (): pg.Pool =>
  singleton('db.pool', () => {
    const created = new pg.Pool({
      ...databaseAddress(),
      max: env().DATABASE_POOL,
      connectionTimeoutMillis: 4_000,
      idleTimeoutMillis: 30_000,
      statement_timeout: 15_000,
      query_timeout: 16_000,
      application_name: 'pomona',
    });
    // the error carries the whole client, its cancel key included
    created.on('error', error => log().warn({ reason: error.message }, 'database connection lost'));
    return created;
  });

export const db = (): Db => singleton('db.drizzle', () => drizzle(pool(), { schema }));

/** Ends the pool, for a process that stops. */
export const closeDatabase = (): Promise<void> => pool().end();
