import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { pool } from '#lib/db/client';
import { requests } from '#lib/db/schema';
import { fromShown } from '#lib/db/shown-request';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { toLiveWire } from '#lib/generations/to-wire';
import { waitForGeneration, waitForShown, waitingPolls } from '#lib/generations/wait';
import { newId } from '#lib/ids';
import { finish, FINAL_CHANNEL } from '#lib/life/finish';
import { timesReached } from '#lib/limits';
import { stopping } from '#lib/process/stopping';
import { singleton } from '#lib/singleton';

await useOwnDatabase();

async function open() {
  const { id: accountId } = await createAccount({ email: `${newId()}@example.com` });
  const id = newId();
  await pool().query(
    `insert into requests (id, account_id, status, architecture, model_id, type, engine, prompt, body, config, seed, output, gems)
    values ($1, $2, 'queued', 'mango', 'mango-v3', 'image', 'none', 'x', '{}', '{}', 1, '{}', 1)`,
    [id, accountId],
  );
  const gone = new AbortController();
  const asked = { accountId, id, clientGone: gone.signal };
  return { id, gone, asked, poll: (seconds = 60) => waitForGeneration({ ...asked, seconds }) };
}

test('polls above the limit of an account or of all accounts are answered immediately', async () => {
  Object.assign(env(), { LIMIT_POLLS_PER_ACCOUNT: 2, LIMIT_POLLS: 3 });
  const [one, other] = [await open(), await open()];
  const held = [one.poll(), one.poll()];
  await vi.waitUntil(() => waitingPolls() === 2, 30_000);
  expect(await one.poll()).toMatchObject({ status: 'queued' });
  expect(timesReached('LIMIT_POLLS_PER_ACCOUNT')).toBe(1);
  held.push(other.poll());
  await vi.waitUntil(() => waitingPolls() === 3, 30_000);
  expect(await other.poll()).toMatchObject({ status: 'queued' });
  expect(timesReached('LIMIT_POLLS')).toBe(1);
  one.gone.abort();
  other.gone.abort();
  await Promise.all(held);
  expect(waitingPolls()).toBe(0);
});

test('a waiting poll is notified when its request ends, without the periodic check', async () => {
  Object.assign(env(), { LIMIT_POLLS_PER_ACCOUNT: 2, LIMIT_POLLS: 3 });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { id, gone, poll } = await open();
  const held = poll();
  const listening = `select from pg_stat_activity where datname = current_database() and query ilike 'listen%${FINAL_CHANNEL}%'`;
  await expect.poll(async () => (await pool().query(listening)).rowCount).toBe(1);
  await finish(eq(requests.id, id), { status: 'cancelled' });
  const outcome = await Promise.race([held, pause(5_000, null)]);
  vi.useRealTimers();
  gone.abort();
  expect(outcome).toMatchObject({ status: 'cancelled' });
});

test('a clock that is set back does not make a poll wait longer', async () => {
  const { poll } = await open();
  const held = poll(1);
  await vi.waitUntil(() => waitingPolls() === 1, 30_000);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect(await held).toMatchObject({ status: 'queued' });
});

test.each([
  `status = 'in_progress', worker = gen_random_uuid(), started_at = now(), progress = 0.5, line = 'slow'`,
  `status = 'queued', fetched = false`,
  `status = 'failed', finished_at = now(), refunded = true, error_message = 'no'`,
  `status = 'completed', finished_at = now(), kept = true, favourite = true, removed_at = now(), result =
    '{"key": "result/a.png", "contentType": "image/png", "bytes": 9, "width": 3, "height": 4, "nsfw": false, "expiresAt": "2026"}'`,
])('a request found together with its caller is shown like one that is read separately: %s', async columns => {
  const { id, asked, poll } = await open();
  await pool().query(`update requests set ${columns} where id = $1`, [id]);
  const { rows } = await pool().query('select shown_request(r) as row from requests r where id = $1', [id]);
  const found = await waitForShown(fromShown(rows[0].row), { ...asked, seconds: 0 });
  expect(await toLiveWire(found)).toEqual(await toLiveWire(await poll(0)));
});

test('a poll that has ended, or whose request does not exist, leaves no listener behind', async () => {
  const { id, asked, poll } = await open();
  await pool().query(`update requests set status = 'cancelled', finished_at = now() where id = $1`, [id]);
  expect(await poll()).toMatchObject({ status: 'cancelled' });
  const lost = waitForGeneration({ ...asked, id: newId(), seconds: 60 });
  await expect(lost).rejects.toMatchObject({ code: 'request_not_found' });
  expect(singleton<EventEmitter>('generations.finals', () => new EventEmitter()).eventNames()).toEqual([]);
});

test('a stopping process answers waiting polls with the current state', async () => {
  const { poll } = await open();
  const held = poll();
  await vi.waitUntil(() => waitingPolls() === 1, 30_000);
  stopping().abort();
  expect(await held).toMatchObject({ status: 'queued' });
});
