import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort, run, untilAnswers } from '../process.ts';
import { expect, postgresPidOf, temporaryFolder, test } from './deployment.ts';

// `npm start` restarts the processes it runs

test.skip(process.platform !== 'linux', 'children are read from /proc');
test.describe.configure({ timeout: 120_000 });

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

/** Returns the web process of a starter; undefined while none runs. */
const webOf = (pid: number) =>
  childrenOf(pid).find(child => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('server.ts'));

async function start() {
  const PORT = String(await freePort());
  const env = { DATA_DIR: temporaryFolder(), DATABASE_URL: '', WORKER: 'off', PORT, BASE_URL: '' };
  return { url: `http://localhost:${PORT}/v1`, env, starter: run(['start.ts'], env) };
}

test('a killed web process is restarted, and it ends when the starter is stopped', async () => {
  const { url, starter } = await start();
  await untilAnswers(url, starter);
  const web = webOf(starter.pid)!;
  process.kill(web, 'SIGKILL');
  // the port stays closed until the next web process is up
  while (webOf(starter.pid) === web) await pause(20);
  await untilAnswers(url, starter);
  expect(starter.output()).toContain('web ended; starting it again');
  const next = webOf(starter.pid)!;
  await starter.stop();
  expect(await starter.ended).toBe(0);
  expect(() => process.kill(next, 0)).toThrow('ESRCH');
});

test('the web process stops when its starter is killed', async () => {
  const { url, env, starter } = await start();
  await untilAnswers(url, starter);
  const web = webOf(starter.pid)!;
  await starter.kill();
  await expect.poll(() => isAlive(web)).toBe(false);
  // the database keeps running for the next start, which does not follow here
  process.kill(postgresPidOf(env.DATA_DIR), 'SIGINT');
});

test('the web process does not load the SWC compiler, which the Dockerfile leaves out', async () => {
  const { url, starter } = await start();
  await untilAnswers(url, starter);
  expect(readFileSync(`/proc/${webOf(starter.pid)}/maps`, 'utf8')).not.toContain('next-swc');
  await starter.stop();
});

test('a starter that is stopped while its database starts leaves no database running', async () => {
  const { env, starter } = await start();
  const running = join(env.DATA_DIR, 'postgres/postmaster.pid');
  // the file exists before the database answers
  while (!existsSync(running)) await pause(5);
  await starter.stop();
  expect(await starter.ended).toBe(0);
  expect(existsSync(running)).toBe(false);
});

test('a command that is stopped while its database starts leaves no database running', async () => {
  const DATA_DIR = temporaryFolder();
  const command = run(['cli.ts', 'account', 'list'], { DATA_DIR, DATABASE_URL: '' });
  const running = join(DATA_DIR, 'postgres/postmaster.pid');
  while (!existsSync(running)) await pause(5);
  await command.stop();
  expect(await command.ended).toBe(130);
  await command.silent;
  expect(command.output()).toBe('');
  expect(existsSync(running)).toBe(false);
});

test('a worker that is stopped while it waits for its database exits with code 0', async () => {
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`;
  const worker = run(['worker.ts'], { DATA_DIR: temporaryFolder(), DATABASE_URL, LOG_LEVEL: 'info' });
  await expect.poll(worker.output, { timeout: 60_000 }).toContain('waiting for the database');
  await worker.stop();
  expect(await worker.ended).toBe(0);
});

test('a starter that cannot start reports the reason once and exits with code 1', async () => {
  const { url, env, starter } = await start();
  await untilAnswers(url, starter);
  for (const [settings, said] of [
    [{ DATA_DIR: temporaryFolder() }, `Port ${env.PORT} is taken`],
    [{ PORT: 'x' }, 'PORT must be'],
  ] as const) {
    const second = run(['start.ts'], { ...env, ...settings });
    expect(await second.ended).toBe(1);
    await second.silent;
    expect(second.output().split(said)).toHaveLength(2);
  }
  await starter.stop();
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
