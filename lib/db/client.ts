import type { Socket } from 'node:net';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { env } from '#lib/env';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';
import { databaseAddress } from '#lib/db/address';
import { isOutage } from '#lib/outage';
import * as schema from '#lib/db/schema';

// bigint columns hold gems, bytes and seeds, all below 2^53
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

type Db = NodePgDatabase<typeof schema>;
/** A transaction or the pool itself: what a query function of a domain takes. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0] | Db;

/** Behind a pooler that lends a connection for one transaction, statements cannot be prepared for later. */
class UnnamedStatements extends pg.Client {
  override query(...[config, ...rest]: unknown[]): never {
    const unnamed = typeof config === 'object' && config && 'name' in config ? { ...config, name: undefined } : config;
    return super.query(...([unnamed, ...rest] as Parameters<pg.Client['query']>)) as never;
  }
}

/**
 * What a prepared statement gives may have been changed by a migration beside us: Postgres refuses to run it, the pool drops its
 * connection, and another one prepares it anew.
 */
class PatientPool extends pg.Pool {
  override query(...args: unknown[]): never {
    const ask = super.query.bind(this) as (...args: unknown[]) => Promise<unknown>;
    const again = (error: { code?: string; routine?: string }) => {
      if (error.code !== '0A000' || error.routine !== 'RevalidateCachedQuery') throw error;
      return this.query(...args) as unknown;
    };
    return ask(...args).catch(again) as never;
  }
}

/**
 * What each connection asks for; docs/running.md tells the role the same, for where a pooler is between. Pages in the order of an index
 * are not dear on today's disks. Taken to be, all that fits a filter is fetched and sorted wherever the planner expects no more of it
 * than a page (lib/db/of-account.ts).
 */
const CONNECTION_SETTINGS = 'set statement_timeout = 15000; set random_page_cost = 1.1';

/** No statement takes as long: a database that says nothing any more in the middle of one is lost. */
const SILENCE_MS = 16_000;

/**
 * Ends a connection at such a silence, by one timer that it keeps. The driver's own `query_timeout` hangs on every statement, and all
 * that one had read stayed until the next large collection of garbage.
 */
function endWhenSilent(client: pg.ClientBase): void {
  const { connection } = client as pg.Client;
  const stream = connection.stream as Socket;
  const isAnswered = () => (client as unknown as { readyForQuery: boolean }).readyForQuery;
  stream.setTimeout(SILENCE_MS);
  stream.on('timeout', () => isAnswered() || stream.destroy(new Error('Query read timeout')));
}

/** The pool of this process. Statements are cut off after 15 s and connecting after 4 s, so that nothing hangs on a lost database. */
export const pool = (): pg.Pool =>
  singleton('db.pool', () => {
    const isPooled = Boolean(env().DATABASE_DIRECT_URL);
    const created = new PatientPool({
      ...databaseAddress(),
      ...(isPooled && { Client: UnnamedStatements }),
      async onConnect(client) {
        endWhenSilent(client);
        // a pooler takes no settings of a connection that is not one, and where it is, refuses those that come with its start
        if (!isPooled) await client.query(CONNECTION_SETTINGS);
      },
      max: env().DATABASE_POOL,
      connectionTimeoutMillis: 4_000,
      idleTimeoutMillis: 30_000,
      application_name: 'pomona',
    });
    // the error carries the whole client, its cancel key included
    const note = (error: Error) => log().warn({ reason: error.message }, 'database connection lost');
    created.on('error', note);
    // a client that is in use says so itself, and an error that nobody hears ends the process
    created.on('connect', client => client.on('error', note));
    return created;
  });

export const db = (): Db => singleton('db.drizzle', () => Object.assign(drizzle(pool(), { schema }), { transaction }));

/**
 * A transaction on a connection of the pool. Left to itself, Drizzle keeps the connection for good when its BEGIN fails, and gives
 * one back as sound that waits for an answer which was given up.
 */
const transaction: Db['transaction'] = async (work, config) => {
  const client = await pool().connect();
  let broken = false;
  try {
    return await drizzle<typeof schema, pg.PoolClient>(client).transaction(work, config);
  } catch (error) {
    broken = isOutage(error);
    throw error;
  } finally {
    client.release(broken);
  }
};

/** Ends the pool, for a process that stops. */
export const closeDatabase = (): Promise<void> => pool().end();
