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
/** A transaction or the pool itself, as the query functions of the domains take it. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0] | Db;

/** Strips statement names: behind a pooler in transaction mode, prepared statements do not outlive a transaction. */
class UnnamedStatements extends pg.Client {
  override query(...[config, ...rest]: unknown[]): never {
    const unnamed = typeof config === 'object' && config && 'name' in config ? { ...config, name: undefined } : config;
    return super.query(...([unnamed, ...rest] as Parameters<pg.Client['query']>)) as never;
  }
}

/**
 * Retries a query when a concurrent migration has changed the result type of its prepared statement: Postgres refuses
 * to run the statement, the pool drops the connection, and another connection prepares the statement anew.
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
 * Settings of each connection; behind a pooler, docs/running.md has the role set them instead. Random page reads are
 * cheap on today's disks. With the default cost, the planner would fetch and sort all rows that match a filter wherever
 * it expects no more of them than a page (lib/db/of-account.ts).
 */
const CONNECTION_SETTINGS = 'set statement_timeout = 15000; set random_page_cost = 1.1';

/** Longer than the statement timeout: a connection that is silent for this long during a statement is lost. */
const SILENCE_MS = 16_000;

/**
 * Destroys a connection that is silent during a statement, with one timer for each connection. The driver's own
 * `query_timeout` sets a timer for each statement, which retained everything the statement had read until the next
 * major garbage collection.
 */
function endWhenSilent(client: pg.ClientBase): void {
  const { connection } = client as pg.Client;
  const stream = connection.stream as Socket;
  const isAnswered = () => (client as unknown as { readyForQuery: boolean }).readyForQuery;
  stream.setTimeout(SILENCE_MS);
  stream.on('timeout', () => isAnswered() || stream.destroy(new Error('Query read timeout')));
}

/** The pool of this process. Statements time out after 15 s and connecting after 4 s, in case the database is lost. */
export const pool = (): pg.Pool =>
  singleton('db.pool', () => {
    const isPooled = Boolean(env().DATABASE_DIRECT_URL);
    const created = new PatientPool({
      ...databaseAddress(),
      ...(isPooled && { Client: UnnamedStatements }),
      async onConnect(client) {
        endWhenSilent(client);
        // a transaction pooler does not keep settings; a session pooler refuses them as startup parameters
        if (!isPooled) await client.query(CONNECTION_SETTINGS);
      },
      max: env().DATABASE_POOL,
      connectionTimeoutMillis: 4_000,
      idleTimeoutMillis: 30_000,
      application_name: 'pomona',
    });
    // only the message is logged: the error carries the whole client, including its cancel key
    const note = (error: Error) => log().warn({ reason: error.message }, 'database connection lost');
    created.on('error', note);
    // a client in use emits its own errors, and an unhandled 'error' event ends the process
    created.on('connect', client => client.on('error', note));
    return created;
  });

export const db = (): Db => singleton('db.drizzle', () => Object.assign(drizzle(pool(), { schema }), { transaction }));

/**
 * Runs a transaction on a connection of the pool. Drizzle's own implementation never releases the connection when BEGIN
 * fails, and returns a connection to the pool as healthy although it still waits for an answer that was given up.
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

/** Closes the pool when the process stops. */
export const closeDatabase = (): Promise<void> => pool().end();
