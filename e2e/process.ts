import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UNSET } from '#lib/process/test-settings';

export const ROOT = resolve(import.meta.dirname, '..');

/** A process of a deployment under test. */
export interface Process {
  pid: number;
  /** Output of the process so far. */
  output(): string;
  /** Settles with the exit code, or the signal that ended the process. Its children may still run. */
  ended: Promise<number | string>;
  /** Settles when all output of the process and its children has been read. */
  silent: Promise<unknown>;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
}

export type Env = Record<string, string>;

/** Runs a program of the project, such as `server.ts`, or another Node script, with these settings. */
export function run(args: string[], env: Env): Process {
  const flags = args[0]!.endsWith('.ts') ? ['--import', './scripts/quick-start.ts'] : [];
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: ROOT,
    env: { ...UNSET, ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${args.join(' ')} does not start`);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)));
  const ended = new Promise<number | string>(done => child.once('exit', (code, signal) => done(code ?? signal ?? 0)));
  const silent = new Promise<void>(done => child.once('close', () => done()));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return { pid, output: () => output, ended, silent, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** Waits until the URL answers with any status. Throws with the output of the process when the process ends before. */
export async function untilAnswers(url: string, { ended, output }: Process): Promise<void> {
  let over = false;
  void ended.then(() => (over = true));
  while (!over) {
    if (await answers(url)) return;
    await pause(50);
  }
  throw new Error(`The server ended before it answered:\n${output()}`);
}

const answers = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Returns a free port below those of the runner's servers (from 20000) and the ephemeral range (from 32768). */
export async function freePort(): Promise<number> {
  const probe = createServer();
  for (;;) {
    const port = randomInt(11_000, 20_000);
    const isFree = await once(probe.listen(port, '127.0.0.1'), 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise(done => probe.close(done));
    return port;
  }
}
