import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { createAccount } from '#lib/accounts/accounts';
import { createApiKey } from '#lib/accounts/api-keys';
import type { Scope } from '#lib/scopes';
import { embeddedAddress } from '#lib/db/address';
import * as schema from '#lib/db/schema';
import { openContext } from './api-context.ts';
import { Customer } from './customer.ts';
import { freePort, run, untilAnswers, type Env, type Process } from './process.ts';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** How requests reach the route files: `server.ts` calls them directly, or plain `next start` does. */
export type Through = 'server' | 'next';

/** A deployment under test, with access to its database for acts that only an operator can do. */
export interface House {
  baseURL: string;
  pool: pg.Pool;
  /** Creates an account with one key. */
  open(options?: OpenOptions): Promise<Customer>;
  /** Creates another key of the customer's account. */
  addKey(customer: Customer, options?: KeyOptions): Promise<Customer>;
  close(): Promise<void>;
}

interface KeyOptions {
  expiresAt?: Date;
  monthlyBudget?: number;
  scopes?: Scope[];
  inFlightLimit?: number;
}

interface OpenOptions extends KeyOptions {
  gems?: number;
}

/** Returns the DATABASE_URL of the embedded cluster in a data folder. */
export function clusterUrl(dataDir: string): string {
  const { host, port, user } = embeddedAddress(realpathSync(join(dataDir, 'postgres')));
  return `postgres://${user}@localhost:${port}/postgres?host=${encodeURIComponent(String(host))}`;
}

/** Returns the database URL of the deployment that playwright.config.ts starts. */
export const mainDatabase = () => String(process.env.E2E_DATABASE_URL);

/** Creates an empty database on the same server as `beside`, for another deployment. Returns its URL. */
export async function createDatabase(beside = mainDatabase()): Promise<string> {
  const name = `house_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: beside });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(beside);
  url.pathname = name;
  return url.href;
}

/** Returns the house of a running deployment. */
export function enterHouse(baseURL: string, databaseUrl: string): House {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  pool.on('error', () => {});
  const db = drizzle(pool, { schema });

  async function addKey(accountId: string, email: string, options: KeyOptions): Promise<Customer> {
    const { key, id } = await createApiKey(accountId, { name: 'test', ...options }, db);
    const api = await openContext({ baseURL, extraHTTPHeaders: { authorization: `Bearer ${key}` } });
    return new Customer({ api, accountId, email, key, keyId: id });
  }

  return {
    baseURL,
    pool,
    async open({ gems = 10_000, ...options } = {}) {
      const email = `${randomUUID()}@example.com`;
      const { id } = await createAccount({ email, gems }, db);
      return addKey(id, email, options);
    },
    addKey: ({ accountId, email }, options = {}) => addKey(accountId, email, options),
    close: () => pool.end(),
  };
}

/** Maximum time for a deployment to start, beside other programs on a busy machine. */
export const STARTING_MS = 180_000;

/** Starts the web process of a deployment, by default on a free port. `env` must name a database or a data folder. */
export async function startWeb(through: Through, env: Env): Promise<Process & { baseURL: string }> {
  const port = env.PORT ?? String(await freePort());
  const baseURL = `http://localhost:${port}`;
  const settings = { CHECK_RESPONSES: 'on', WORKER: 'off', PORT: port, BASE_URL: baseURL, ...env };
  const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', port];
  const web = run(through === 'next' ? next : ['start.ts'], settings);
  await untilAnswers(`${baseURL}/v1`, web);
  return { ...web, baseURL };
}

/** Runs a command of the operator's command line. Throws with its output when it fails. */
export async function pomona(args: string[], env: Env): Promise<string> {
  const command = run(['cli.ts', ...args], env);
  const code = await command.ended;
  await command.silent;
  if (code !== 0) throw new Error(`pomona ${args.join(' ')} ended with ${code}:\n${command.output()}`);
  return command.output().trim();
}
