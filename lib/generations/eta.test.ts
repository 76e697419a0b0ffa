import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { etaSeconds } from '#lib/generations/eta';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { singleton } from '#lib/singleton';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';
let caller: Caller;

beforeAll(async () => {
  caller = await accountWith(1_000_000);
});

beforeEach(async () => {
  await pool().query('update requests set status = $1, finished_at = null, started_at = null', ['cancelled']);
  await pool().query('delete from servers');
  // clears the cache of samples and places
  singleton('remembered', () => new Map()).clear();
});

async function submit(body: object = {}, architectureId = 'anima') {
  const made = await submitGeneration({
    caller,
    architectureId,
    body: () => Promise.resolve({ prompt: 'dusk', ...body }),
  });
  return made.generation.id;
}

/** Submits a request and completes it as if it took this long. */
async function took(seconds: number, body?: object, architecture?: string): Promise<void> {
  const id = await submit(body, architecture);
  await pool().query(
    `update requests set status = 'completed', started_at = now() - $2 * interval '1 second', finished_at = now() where id = $1`,
    [id, seconds],
  );
}

async function startedAgo(id: string, seconds: number, progress: number | null = null): Promise<void> {
  await pool().query(
    `update requests set status = 'in_progress', started_at = now() - $2 * interval '1 second', progress = $3 where id = $1`,
    [id, seconds, progress],
  );
}

const eta = async (id: string, position?: number) => etaSeconds(await getGeneration(caller.accountId, id), position);

test('without history there is no ETA', async () => {
  expect(await eta(await submit(), 1)).toBeNull();
});

test('the ETA of a waiting request depends on its queue position and the number of places', async () => {
  await took(10);
  const id = await submit();
  expect(await eta(id, 1)).toBe(10);
  expect(await eta(id, 3)).toBe(30);
  await pool().query(`insert into servers (id, engine, places) values ('a', 'preview', 2)`);
  singleton('remembered', () => new Map()).clear();
  expect(await eta(id, 3)).toBe(20);
});

test('the ETA of a waiting request counts the durations of those ahead, and half of those that run at full places', async () => {
  await took(2);
  await took(20, {}, 'ltx_video');
  const line = `line of ${caller.accountId}`;
  await pool().query(`insert into servers (id, engine, places) values ('b', 'preview', 1)`);
  const move = (id: string, more = '') =>
    pool().query(`update requests set line = $2, engine = 'preview' ${more} where id = $1`, [id, line]);
  await move(await submit({}, 'ltx_video'), `, worker = gen_random_uuid(), status = 'in_progress'`);
  await move(await submit({}, 'ltx_video'));
  const id = await submit();
  await move(id);
  singleton('remembered', () => new Map()).clear();
  // on average 11 s for each of the two in line: half of the one that runs, and all of the one ahead
  expect(await eta(id, 2)).toBe(2 + 11 * 1.5);
});

test('the ETA ignores the history of other models and scales with the requested size and duration', async () => {
  await took(100, {}, 'z_image');
  expect(await eta(await submit(), 1)).toBeNull();
  await took(100, { model_id: 'ltx-video-096-dev' }, 'ltx_video');
  expect(await eta(await submit({}, 'ltx_video'), 1)).toBeNull();
  await took(10, { aspect_ratio: '1:1', resolution: '1k' });
  for (const seconds of [4, 5, 6]) await took(seconds, { duration: '5' }, 'seed_audio');
  singleton('remembered', () => new Map()).clear();
  expect(await eta(await submit({ aspect_ratio: '1:1', resolution: '2k' }), 1)).toBe(40);
  expect(await eta(await submit({ duration: '5' }, 'seed_audio'), 1)).toBe(5);
  expect(await eta(await submit({ duration: '60' }, 'seed_audio'), 1)).toBe(60);
});

test('the ETA of a running request follows its progress once that is meaningful, and is at least one second', async () => {
  await took(10);
  const id = await submit();
  await startedAgo(id, 4);
  expect(await eta(id)).toBeCloseTo(6, 0);
  await startedAgo(id, 4, 0.02);
  expect(await eta(id)).toBeCloseTo(6, 0);
  await startedAgo(id, 4, 0.2);
  expect(await eta(id)).toBeCloseTo(16, 0);
  await startedAgo(id, 60);
  expect(await eta(id)).toBe(1);
  await startedAgo(id, 60, 1);
  expect(await eta(id)).toBe(1);
});

test('a final request has no ETA', async () => {
  await took(10);
  const id = await submit();
  await pool().query(`update requests set status = 'cancelled' where id = $1`, [id]);
  expect(await eta(id)).toBeNull();
});
