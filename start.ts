import '#lib/process/env-file';
import { join } from 'node:path';
import { startEmbedded } from '#lib/db/embedded';
import { env } from '#lib/env';
import { whatIsOpen } from '#lib/process/what-is-open';
import { runProgram } from '#lib/process/run-program';
import { startChild } from '#lib/process/start-child';
import { supervise, type Running } from '#lib/process/supervise';
import { tellUnknownSettings } from '#lib/process/unknown-settings';

// `npm start`: runs the embedded database, the web processes and a worker, and restarts each whenever it dies.

const ROOT = import.meta.dirname;
const dev = process.argv.includes('--dev');
/** Longer than a web process takes: it drains for 25 s and then closes its pool. */
const WEB_DRAIN_MS = 35_000;
const WORKER_DRAIN_MS = 30_000;
/** Makes glibc return freed memory: by default it keeps several hundred MB that rendering and decoding freed. */
const GIVE_MEMORY_BACK = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '100000',
  MALLOC_MMAP_THRESHOLD_: '100000',
};

type Part = Pick<Running, 'stop'>;

const stopped = new AbortController();
const { signal } = stopped;
let database: Promise<Part> | undefined;
/** Processes that use the database. */
const processes: Part[] = [];

async function start(): Promise<void> {
  const { DATABASE_URL, BASE_URL, WEB_CONCURRENCY, WORKER } = env();
  tellUnknownSettings();
  if (dev) await (await import('./scripts/fonts.ts')).cutFonts();
  else await (await import('./scripts/build.ts')).ensureBuild(signal);
  if (!DATABASE_URL) await (database = supervise('embedded database', startEmbedded));
  // the first web process starts alone: a cause that prevents one start prevents all, and should be reported once
  await run('web', startWeb);
  console.log(`\nPomona is ready: ${BASE_URL}\n`);
  for (const line of whatIsOpen(env())) console.log(`  ${line}`);
  const others = Array.from({ length: WEB_CONCURRENCY - 1 }, () => run('web', startWeb));
  await Promise.all([...others, WORKER === 'on' && run('worker', startWorker)]);
}

async function run(name: string, start: () => Promise<Running>): Promise<void> {
  signal.throwIfAborted();
  processes.push(await supervise(name, start));
}

const startWeb = () =>
  startChild(join(ROOT, 'server.ts'), {
    args: process.argv.slice(2),
    drainMs: WEB_DRAIN_MS,
    sharesPort: true,
    signal,
  });

const startWorker = () =>
  startChild(join(ROOT, 'worker.ts'), {
    execArgv: [...process.execArgv, ...(dev ? ['--watch', '--watch-preserve-output'] : [])],
    env: GIVE_MEMORY_BACK,
    drainMs: WORKER_DRAIN_MS,
    signal,
  });

async function stop(): Promise<void> {
  stopped.abort();
  await Promise.all(processes.map(part => part.stop()));
  // a database that is still starting would outlive this process; a failed start has been reported already
  await database?.then(
    part => part.stop(),
    () => {},
  );
}

runProgram({ start, stop });
