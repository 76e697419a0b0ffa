import { fork } from 'node:child_process';
import { inheritedEnv } from '#lib/env';
import type { Running } from '#lib/process/supervise';

const DRAIN_MS = 30_000;

/** glibc keeps what rendering and decoding freed, several hundred MB of it, unless it is told to give it back. */
const GIVE_MEMORY_BACK = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '100000',
  MALLOC_MMAP_THRESHOLD_: '100000',
};

/** Runs worker.ts as a child, which drains when it is told to stop and when this process dies. */
export async function startWorkerProcess(file: string, execArgv: string[]): Promise<Running> {
  const child = fork(file, [], { execArgv, env: { ...GIVE_MEMORY_BACK, ...inheritedEnv() } });
  const ended = new Promise<void>(done => child.once('exit', () => done()));
  await new Promise<void>((spawned, failed) => child.once('spawn', spawned).once('error', failed));
  return {
    ended,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const overdue = setTimeout(() => child.kill('SIGKILL'), DRAIN_MS);
      await ended;
      clearTimeout(overdue);
    },
  };
}
