import { fork } from 'node:child_process';
import cluster from 'node:cluster';
import { inheritedEnv } from '#lib/env';
import type { Running } from '#lib/process/supervise';
import { StartError } from '#lib/start-error';

interface ChildOptions {
  args?: string[];
  /** Flags of Node. */
  execArgv?: string[];
  /** Beside the environment of this process. */
  env?: Record<string, string>;
  /** How long it may take to stop. */
  drainMs: number;
  /** Whether it listens on a port together with others. It says `ready` by a message then, and itself what is wrong when it ends before. */
  sharesPort?: boolean;
  /** Stops it before it is ready. */
  signal?: AbortSignal;
}

// each takes its connections itself: one that this process had handed to a child that was just killed would never be heard of again
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** Runs a program of the project as a child, which stops when it is told to and when this process dies. */
export async function startChild(
  file: string,
  { args = [], execArgv = process.execArgv, env, drainMs, sharesPort, signal }: ChildOptions,
): Promise<Running> {
  const whole = { ...env, ...inheritedEnv() };
  if (sharesPort) cluster.setupPrimary({ exec: file, args, execArgv });
  const member = sharesPort ? cluster.fork(whole) : null;
  const child = member?.process ?? fork(file, args, { execArgv, env: whole });
  // what goes wrong with its process is said of it as well, and an error that nobody hears ends this process
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
