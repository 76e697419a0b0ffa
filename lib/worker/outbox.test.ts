import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { startOutbox } from '#lib/worker/outbox';

const { tellNotice, advanceRun, removeAccount, announceEnd, stopAtEngine, makeForms } = vi.hoisted(() => {
  const handler = () => vi.fn<() => Promise<void>>();
  return {
    tellNotice: handler(),
    advanceRun: handler(),
    removeAccount: handler(),
    announceEnd: handler(),
    stopAtEngine: handler(),
    makeForms: handler(),
  };
});
vi.mock('#lib/generations/announce-end', () => ({ announceEnd }));
vi.mock('#lib/worker/stop-at-engine', () => ({ stopAtEngine }));
vi.mock('#lib/worker/make-forms', () => ({ makeForms, giveUpForms: async () => {} }));
vi.mock('#lib/worker/tell-notice', () => ({ tellNotice }));
vi.mock('#lib/recipes/advance', () => ({ advanceRun }));
vi.mock('#lib/generations/delete-account', () => ({ removeAccount }));

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

beforeEach(async () => {
  tellNotice.mockReset();
  await pool().query('delete from outbox');
  await pool().query(`insert into outbox (consumer, request_id) values ('notices', gen_random_uuid())`);
});

function start(done = () => {}) {
  const outbox = startOutbox(done);
  onTestFinished(() => outbox.stop());
  return outbox;
}
const tasks = async () =>
  (await pool().query(`select attempts, due_at > now() + interval '50 seconds' as taken from outbox`)).rows;

test('a task that outlasts its lease is done by one worker, in one attempt', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { promise, resolve: end } = Promise.withResolvers<void>();
  tellNotice.mockReturnValue(promise);
  const [one, other] = [start(), start()];
  onTestFinished(() => end());
  await expect.poll(tasks).toEqual([{ attempts: 1, taken: true }]);
  for (let n = 0; n < 3; n++) {
    // half of the lease has passed
    await pool().query(`update outbox set due_at = now() + interval '30 seconds'`);
    await vi.advanceTimersByTimeAsync(20_000);
    await expect.poll(tasks).toEqual([{ attempts: 1, taken: true }]);
  }
  end();
  await expect.poll(tasks).toEqual([]);
  await Promise.all([one.stop(), other.stop()]);
  expect(tellNotice).toHaveBeenCalledOnce();
});

test('a failed task waits for its back-off, not for the rest of its lease', async () => {
  tellNotice.mockRejectedValueOnce(new Error('no')).mockResolvedValue();
  const outbox = start();
  await expect.poll(() => tellNotice.mock.calls.length).toBe(1);
  await expect.poll(tasks).toEqual([{ attempts: 1, taken: false }]);
  await pool().query('update outbox set due_at = default');
  outbox.wake();
  await expect.poll(tasks).toEqual([]);
  expect(tellNotice).toHaveBeenCalledTimes(2);
});

test('a failing notice is retried for more than half an hour', async () => {
  tellNotice.mockRejectedValue(new Error('no'));
  let [seconds, pause] = [0, 0];
  do {
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const outbox = start(done);
    await promise;
    await outbox.stop();
    const { rows } = await pool().query('select extract(epoch from due_at - now())::float as pause from outbox');
    pause = rows[0]?.pause ?? 0;
    seconds += pause;
    await pool().query('update outbox set due_at = default');
  } while (pause > 0);
  expect(await tasks()).toEqual([]);
  expect(seconds).toBeGreaterThan(1_800);
});

test.each([
  ['webhooks', announceEnd, 100],
  ['engine', stopAtEngine, 10],
  ['forms', makeForms, 10],
])('a failing task of %s is retried up to its maximum number of attempts', async (consumer, handle, tries) => {
  handle.mockRejectedValue(new Error('no'));
  for (const attempts of [tries - 2, tries - 1]) {
    await pool().query('update outbox set consumer = $1, attempts = $2, due_at = default', [consumer, attempts]);
    const { promise, resolve: done } = Promise.withResolvers<void>();
    const outbox = start(done);
    await promise;
    await outbox.stop();
    expect(await tasks()).toHaveLength(tries - 1 - attempts);
  }
});

test.each([
  ['runs', advanceRun, 15],
  ['accounts', removeAccount, 60],
])(
  'a failing task of %s is never given up, and is retried soon even after many failures',
  async (consumer, handle, pause) => {
    handle.mockRejectedValueOnce(new Error('no'));
    await pool().query('update outbox set consumer = $1, attempts = 50', [consumer]);
    await new Promise<void>(done => void start(done));
    // one second of tolerance, since times are rounded to milliseconds
    const left = `select attempts, due_at < now() + ($1 + 1) * interval '1 second' as soon from outbox`;
    expect((await pool().query(left, [pause])).rows).toEqual([{ attempts: 51, soon: true }]);
  },
);
