import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { makeApiKey, parseApiKey } from '#lib/accounts/api-key-format';
import { UNSET } from '#lib/process/test-settings';

const ROOT = resolve(import.meta.dirname, '..');
const ACCOUNTS = 1_000;

/** A server under measurement, with its own database. */
export interface Target {
  base: string;
  keys: string[];
  pool: pg.Pool;
  databaseUrl: string;
  child: ChildProcess;
}

export interface Stage {
  folder: string;
  /** Starts a web process, or everything that `start.ts` runs, on a fresh database. */
  startTarget(name: string, settings?: Record<string, string>, program?: 'server.ts' | 'start.ts'): Promise<Target>;
  /** Starts a script that sends `ready` when it listens. */
  startScript(file: string, settings: Record<string, string>): Promise<{ base: string; child: ChildProcess }>;
  startNext(target: Target): Promise<string>;
  /** Starts another worker of a deployment and waits until it is registered. */
  startWorker(target: Target): Promise<{ stop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** Starts an embedded Postgres in a temporary folder, for the processes that are measured. */
export async function setStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'pomona-bench-'));
  await chmod(folder, 0o711);
  Object.assign(process.env, { DATA_DIR: folder, LOG_LEVEL: 'error', NODE_ENV: 'production' });
  delete process.env.DATABASE_URL;
  const { startEmbedded } = await import('#lib/db/embedded');
  const { databaseAddress } = await import('#lib/db/address');
  const database = await startEmbedded();
  const address = databaseAddress();
  const children: ChildProcess[] = [];
  const pools: pg.Pool[] = [];

  const launch = (command: string, args: string[], settings: Record<string, string>): ChildProcess => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...UNSET, ...process.env, ...settings },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    children.push(child);
    return child;
  };

  return {
    folder,
    async startTarget(name, settings = {}, program = 'server.ts') {
      const client = new pg.Client(address);
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      const databaseUrl = `postgres://${address.user}@localhost:${address.port}/${name}?host=${encodeURIComponent(String(address.host))}`;
      const port = await freePort();
      const base = `http://127.0.0.1:${port}`;
      const child = launch('node', [program], {
        DATABASE_URL: databaseUrl,
        // files that operators write into DATA_DIR belong to one deployment
        DATA_DIR: join(folder, name),
        PORT: String(port),
        BASE_URL: base,
        WORKER: 'off',
        ...settings,
      });
      await answering(`${base}/v1/nothing`, child);
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
      // `pool.end()` does not wait for its connections, so the stopping database may close them first
      pool.on('error', () => {});
      pools.push(pool);
      return { base, keys: await openAccounts(pool), pool, databaseUrl, child };
    },
    async startScript(file, settings) {
      const port = await freePort();
      const child = fork(join(ROOT, 'bench', file), [], { env: { ...process.env, ...settings, PORT: String(port) } });
      children.push(child);
      await once(child, 'message');
      return { base: `http://127.0.0.1:${port}`, child };
    },
    async startWorker({ databaseUrl, base, pool }) {
      const alive = async () => (await pool.query('select from workers')).rowCount ?? 0;
      const before = await alive();
      const DATA_DIR = join(folder, databaseUrl.match(/\/(\w+)\?/)![1]!);
      const child = launch('node', ['worker.ts'], { DATABASE_URL: databaseUrl, DATA_DIR, BASE_URL: base });
      while ((await alive()) === before) await pause(50);
      return { stop: () => end(child) };
    },
    async startNext({ databaseUrl }) {
      const port = await freePort();
      const base = `http://127.0.0.1:${port}`;
      const args = [join(ROOT, 'node_modules/next/dist/bin/next'), 'start', '-p', String(port), '-H', '127.0.0.1'];
      const child = launch('node', args, { DATABASE_URL: databaseUrl, PORT: String(port), BASE_URL: base });
      await answering(`${base}/v1/nothing`, child);
      return base;
    },
    async stop() {
      await Promise.all(pools.map(pool => pool.end()));
      await Promise.all(children.map(end));
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no port is free');
  return address.port;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`a server under measurement ended with ${child.exitCode}`);
    const answered = await fetch(url).then(
      response => response.status === 404,
      () => false,
    );
    if (answered) return;
    await pause(100);
  }
}

/** Creates many accounts with practically unlimited gems, so that no submit is refused. Returns their keys. */
async function openAccounts(pool: pg.Pool): Promise<string[]> {
  const keys = Array.from({ length: ACCOUNTS }, makeApiKey);
  await pool.query(
    `with opened as (
      insert into accounts (id, email, balance) select gen_random_uuid(), 'bench' || n || '@localhost', 1000000000000
      from generate_series(1, $1) n returning id, email, balance
    ), booked as (
      insert into ledger (account_id, kind, gems, balance_after) select id, 'opening', balance, balance from opened
    )
    insert into api_keys (id, account_id, name, hash, last_four)
    select gen_random_uuid(), id, 'bench', ($2::bytea[])[substring(email from 'bench(\\d+)')::int], 'none' from opened`,
    [ACCOUNTS, keys.map(key => parseApiKey(key))],
  );
  return keys;
}
