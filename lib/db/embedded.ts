import { spawn } from 'node:child_process';
import { open, readFile, realpath, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { embeddedAddress, socketFolder } from '#lib/db/address';
import { asOwner, run } from '#lib/db/binaries';
import { prepareCluster, type Cluster } from '#lib/db/cluster';
import { openConnection } from '#lib/db/open-connection';
import { shareUse } from '#lib/db/shared-use';
import { env } from '#lib/env';
import { hasCode } from '#lib/errors';
import { log } from '#lib/log';
import { orAborted } from '#lib/process/or-aborted';
import { StartError } from '#lib/start-error';

/** Postgres settings for a small machine that also runs the engines. None of them reduces durability. */
export const SETTINGS: Record<string, string> = {
  fsync: 'on',
  shared_buffers: '128MB',
  max_connections: '300',
  jit: 'off',
  wal_compression: 'pglz',
  max_wal_size: '512MB',
  checkpoint_timeout: '15min',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

const RESTART_LIMIT = 30_000;
const RECOVERY_LIMIT = 600_000;
const STOP_LIMIT = 60_000;
const LOG_LIMIT = 5_000_000;

/** The running embedded Postgres of DATA_DIR. */
interface EmbeddedDatabase {
  /** Resolves when the database has ended, no matter which process stopped it. */
  ended: Promise<void>;
  /** Ends the use by this process. The last process to leave shuts the database down and waits until it is down. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded Postgres, or adopts the one that already serves DATA_DIR. The database survives when this process
 * is killed, and the next process adopts it.
 */
export async function startEmbedded(): Promise<EmbeddedDatabase> {
  const cluster = await prepareCluster();
  const begun = Date.now();
  for (;;) {
    const running = await adopt(cluster);
    if (running) return running;
    if (Date.now() - begun > RESTART_LIMIT) {
      throw new StartError(
        `The embedded database does not start. Its log is ${logFile()} and ends:\n${await logTail()}`,
      );
    }
    const child = await launch(cluster);
    while (child.exitCode === null && child.signalCode === null && Date.now() - begun < RECOVERY_LIMIT) {
      const running = await adopt(cluster);
      if (running) return running;
      await pause(20);
    }
    // backends of a killed postmaster linger for a moment, and another process may be starting the same cluster
    await pause(200);
  }
}

/** Runs `use` with the database up. Afterwards, or on abort, an embedded one without other users is stopped. */
export async function withDatabase<T>(use: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const database = env().DATABASE_URL ? undefined : await startEmbedded();
  try {
    signal.throwIfAborted();
    return await orAborted(use(), signal);
  } finally {
    await database?.stop();
  }
}

const logFile = () => join(env().DATA_DIR, 'postgres.log');
const logTail = async () => (await readFile(logFile(), 'utf8')).trimEnd().split('\n').slice(-4).join('\n');

async function launch({ folder, binaries, owner }: Cluster) {
  const size = await stat(logFile()).then(
    found => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT) await rename(logFile(), `${logFile()}.1`);
  const log = await open(logFile(), 'a', 0o600);
  const where: Record<string, string> =
    process.platform === 'win32'
      ? { listen_addresses: '127.0.0.1', port: String(embeddedAddress(folder).port) }
      : {
          listen_addresses: '',
          port: '5432',
          unix_socket_directories: socketFolder(folder),
          unix_socket_permissions: '0700',
        };
  const settings = Object.entries({ ...SETTINGS, ...where }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  try {
    // its own process group: on Ctrl-C, this process finishes its requests before it stops the database
    const child = spawn(join(binaries, 'bin/postgres'), ['-D', folder, ...settings], {
      ...asOwner(owner),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise((launched, failed) => child.once('spawn', launched).once('error', failed));
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

/** Whether this cluster is up. Throws a `StartError` when another cluster answers at its address. */
async function answers({ folder }: Cluster): Promise<boolean> {
  const client = await openConnection(embeddedAddress(folder), { name: 'pomona-start' }).catch(() => null);
  if (!client) return false;
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const served = rows[0]!.data_directory;
    if ((await realpath(served)) === folder) return true;
    throw new StartError(
      `The Postgres at ${socketFolder(folder)} serves ${served}, not ${folder}. Stop it, or set another DATA_DIR.`,
    );
  } catch (error) {
    if (error instanceof StartError) throw error;
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

const postmasterPid = async ({ folder }: Cluster): Promise<number> =>
  Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]);

/** Attaches to a running cluster, no matter which process started it; null when it is down or being stopped. */
async function adopt(cluster: Cluster): Promise<EmbeddedDatabase | null> {
  if (!(await answers(cluster))) return null;
  const pid = await postmasterPid(cluster).catch(() => null);
  const use = pid && (await shareUse(embeddedAddress(cluster.folder), () => isAlive(pid)).catch(() => null));
  if (!use) return null;
  const stop = async () => {
    // null when the query fails: the database is down, or another process is stopping it
    const isLast = await use.leave().catch(() => null);
    if (isLast === false) log().info('database stays up for another process on this DATA_DIR');
    if (!isLast) return;
    // fast shutdown: open transactions are rolled back. An error means that the database is already down
    await run(join(cluster.binaries, 'bin/pg_ctl'), ['kill', 'INT', String(pid)], asOwner(cluster.owner)).catch(
      () => null,
    );
    const begun = Date.now();
    while (isAlive(pid) && Date.now() - begun < STOP_LIMIT) await pause(50);
    if (isAlive(pid)) throw new Error(`the embedded database, process ${pid}, does not stop`);
  };
  return { ended: endOf(pid), stop };
}

/** Polls for the end of a process: an adopted Postgres is not a child of this process, and emits no exit event. */
async function endOf(pid: number): Promise<void> {
  while (isAlive(pid)) await pause(250, undefined, { ref: false });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
