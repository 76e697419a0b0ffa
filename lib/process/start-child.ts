import { fork } from 'node:child_process';
import cluster from 'node:cluster';
import { inheritedEnv } from '#lib/env';
import type { Running } from '#lib/process/supervise';
import { StartError } from '#lib/start-error';

interface ChildOptions {
  args?: string[];
  /** Node flags; by default those of this process. */
  execArgv?: string[];
  /** Additional environment variables; those of this process take precedence. */
  env?: Record<string, string>;
  /** Time the child has to stop before it is killed. */
  drainMs: number;
  /** Whether it shares its port with other children. Such a child sends `ready`, or prints why it ended before. */
  sharesPort?: boolean;
  /** Stops the child while it is not ready yet. */
  signal?: AbortSignal;
}

// children accept connections themselves: a connection that this process handed to a child just killed would be lost
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** Runs a program of this project as a child process, which stops when told to and when this process dies. */
export async function startChild(
  file: string,
  { args = [], execArgv = process.execArgv, env, drainMs, sharesPort, signal }: ChildOptions,
): Promise<Running> {
  const whole = { ...env, ...inheritedEnv() };
  if (sharesPort) cluster.setupPrimary({ exec: file, args, execArgv });
  const member = sharesPort ? cluster.fork(whole) : null;
  const child = member?.process ?? fork(file, args, { execArgv, env: whole });
  // repeats the errors of its process, which are handled below; without a listener they would end this process
  member?.on('error', () => {});
  const ended = new Promise<void>(done => child.once('exit', () => done()));
  const running: Running = {
    ended,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const overdue = setTimeout(() => child.kill('SIGKILL'), drainMs);
      await ended;
      clearTimeout(overdue);
    },
  };
  const end = () => child.kill('SIGTERM');
  signal?.addEventListener('abort', end);
  const begun = new Promise<void>((begun, failed) =>
    child.once(sharesPort ? 'message' : 'spawn', begun).on('error', failed),
  );
  await Promise.race([begun, ended.then(() => Promise.reject(new StartError('')))]).finally(() =>
    signal?.removeEventListener('abort', end),
  );
  return running;
}
