import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call, closeAgents, measure } from './measure.ts';
import { auth, pollStatus, rate, settleAll, submit, type Row } from './rows.ts';
import type { Stage, Target } from './stage.ts';

/** Milliseconds that the simulated engine takes per image. */
const DELAY = 500;
/** Delay long enough that jobs wait for the engine, not for the two cores that store, classify and shrink images. */
const LONG_DELAY = 2_000;
const PLACES = 8;
/** Maximum milliseconds that Pomona may add to the engine's time. */
const OWN_SHARE_MS = 100;

/** Starts a deployment with a worker whose z_image is served by a remote engine that takes `delay` milliseconds. */
export async function startRemote(
  stage: Stage,
  name: string,
  delay: number,
  settings: Record<string, string> = {},
): Promise<Target> {
  const { base } = await stage.startScript('slow-engine.ts', { DELAY: String(delay) });
  await mkdir(join(stage.folder, name), { recursive: true });
  const serves = [{ architecture: 'z_image', call: 'images', model: 'slow', parameters: {} }];
  const engines = [{ id: 'slow', type: 'openai', servers: [{ id: 'a', url: base, places: PLACES }], serves }];
  await writeFile(join(stage.folder, name, 'engines.json'), JSON.stringify({ engines }));
  return stage.startTarget(name, { WORKER: 'on', ...settings }, 'start.ts');
}

async function startWarm(stage: Stage, name: string, delay: number): Promise<Target> {
  const target = await startRemote(stage, name, delay);
  // the first generations warm up the process
  for (let turn = 0; turn < 4; turn++) await generate(target, turn);
  return target;
}

async function generate(target: Target, turn: number): Promise<string> {
  const headers = auth(target.keys[turn % target.keys.length] ?? '');
  const body = JSON.stringify({ prompt: 'dusk' });
  const accepted = await call(`${target.base}/v1/z_image/generate`, 202, { method: 'POST', headers, body });
  const { request_id: id } = JSON.parse(accepted) as { request_id: string };
  for (;;) {
    const text = await call(`${target.base}/v1/requests/${id}/status?wait=60`, 200, { headers });
    const { status } = JSON.parse(text) as { status: string };
    if (status === 'completed') return id;
    if (status === 'failed' || status === 'cancelled') throw new Error(`a generation ended ${status}: ${text}`);
  }
}

/** Measures the milliseconds from acceptance to the end, one request at a time, less the time of the engine. */
export async function ownShareRow(stage: Stage, rounds: number): Promise<Row> {
  const target = await startWarm(stage, 'bench_remote', DELAY);
  const ours: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { rows } = await target.pool.query<{ milliseconds: number }>(
      'select extract(epoch from finished_at - created_at)::float8 * 1000 as milliseconds from requests where id = $1',
      [await generate(target, round)],
    );
    ours.push((rows[0]?.milliseconds ?? Number.NaN) - DELAY);
  }
  target.child.kill('SIGTERM');
  const theirs = [OWN_SHARE_MS];
  return { what: 'own share of a generation', against: 'its bound', unit: 'ms', ours, theirs, bound: { atMost: 1 } };
}

/** Compares requests per second on a remote engine with two workers, with one, and with the limit set by its places. */
export async function workerRows(stage: Stage, rounds: number): Promise<Row[]> {
  const target = await startWarm(stage, 'bench_workers', LONG_DELAY);
  const run = async () => {
    const count = PLACES * 4;
    const begun = performance.now();
    await Promise.all(Array.from({ length: count }, (_, turn) => generate(target, turn)));
    return count / ((performance.now() - begun) / 1000);
  };
  const [one, two, bare]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    one.push(await run());
    const second = await stage.startWorker(target);
    two.push(await run());
    await second.stop();
    bare.push(PLACES / (LONG_DELAY / 1000));
  }
  target.child.kill('SIGTERM');
  const row = { unit: '/s' };
  return [
    {
      ...row,
      what: 'two workers, remote jobs',
      against: 'one worker',
      ours: two,
      theirs: one,
      bound: { atLeast: 1.9 },
    },
    {
      ...row,
      what: 'one worker, remote jobs',
      against: 'the places of the engine',
      ours: one,
      theirs: bare,
      bound: { atLeast: 0.8 },
    },
  ];
}

/** Compares two web processes on one port with a single one. */
export async function webRows(stage: Stage, rounds: number, seconds: number): Promise<Row[]> {
  const one = await stage.startTarget('bench_web_one', {}, 'start.ts');
  const two = await stage.startTarget('bench_web_two', { WEB_CONCURRENCY: '2' }, 'start.ts');
  const figures: Record<string, [number[], number[]]> = { poll: [[], []], submit: [[], []] };
  for (let round = 0; round < rounds; round++) {
    for (const [at, target] of [two, one].entries()) {
      const key = target.keys[0] ?? '';
      const id = await submit(target, key, crypto.randomUUID());
      await settleAll(target);
      // connections are assigned to a web process when opened, so each measurement opens new ones
      await closeAgents();
      figures.poll![at]!.push(rate(await measure(seconds, () => pollStatus(target.base, key, id))));
      figures.submit![at]!.push(
        rate(
          await measure(seconds, turn =>
            submit(target, target.keys[turn % target.keys.length] ?? '', crypto.randomUUID()),
          ),
        ),
      );
      await settleAll(target);
    }
  }
  for (const { child } of [one, two]) child.kill('SIGTERM');
  return Object.entries(figures).map(([what, [ours, theirs]]) => ({
    what: `${what}, two web processes`,
    against: 'one',
    unit: '/s',
    ours,
    theirs,
    // clients and Postgres share the two cores, so a second process gains little
    bound: { atLeast: 0.8 },
  }));
}
