import '#lib/process/env-file';
import { join } from 'node:path';
import { startEmbedded } from '#lib/db/embedded';
import { env } from '#lib/env';
import { whatIsOpen } from '#lib/process/what-is-open';
import { runProgram } from '#lib/process/run-program';
import { startChild } from '#lib/process/start-child';
import { supervise, type Running } from '#lib/process/supervise';
import { tellUnknownSettings } from '#lib/process/unknown-settings';

// `npm start`: the embedded database, the web processes and a worker, each started again whenever it dies

const ROOT = import.meta.dirname;
const dev = process.argv.includes('--dev');
/** A web process drains for 25 s and its pool closes after that. */
const WEB_DRAIN_MS = 35_000;
const WORKER_DRAIN_MS = 30_000;
/** glibc keeps what rendering and decoding freed, several hundred MB of it, unless it is told to give it back. */
const GIVE_MEMORY_BACK = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '100000',
  MALLOC_MMAP_THRESHOLD_: '100000',
};

type Part = Pick<Running, 'stop'>;

const stopped = new AbortController();
const { signal } = stopped;
let database: Promise<Part> | undefined;
/** What uses the database. */
const processes: Part[] = [];

async function start(): Promise<void> {
  const { DATABASE_URL, BASE_URL, WEB_CONCURRENCY, WORKER } = env();
  tellUnknownSettings();
  if (dev) await (await import('./scripts/fonts.ts')).cutFonts();
  else await (await import('./scripts/build.ts')).ensureBuild(signal);
  if (!DATABASE_URL) await (database = supervise('embedded database', startEmbedded));
  // what keeps one from starting keeps all, and is said once
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
  // one that is just being started would outlive us; one that does not start has been told of
  await database?.then(
    part => part.stop(),
    () => {},
  );
}

runProgram({ start, stop });
