import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pool } from '#lib/db/client';
import { listen } from '#lib/db/listen';
import { useOwnDatabase } from '#lib/db/test-database';

await useOwnDatabase();

/** Listens until the end of the test; `heard` notifies repeatedly until a notification arrives. */
function ear(channel: string) {
  const told = vi.fn();
  const listener = listen(channel, told);
  onTestFinished(() => listener.close());
  const heard = () => {
    told.mockClear();
    return vi.waitFor(
      async () => {
        await pool().query('select pg_notify($1, $2)', [channel, 'now']);
        expect(told).toHaveBeenCalledWith('now');
      },
      { timeout: 10_000 },
    );
  };
  return { heard, close: listener.close };
}

test('a listener that starts while the last one closes is notified, and so is one that starts later', async () => {
  const first = ear('first');
  await first.heard();
  const { promise: isGone, resolve: leave } = Promise.withResolvers<void>();
  const { end } = pg.Client.prototype as unknown as { end: () => Promise<void> };
  // the old connection is slow to close
  vi.spyOn(pg.Client.prototype, 'end').mockImplementationOnce(async function (this: pg.Client) {
    await isGone;
    return end.call(this);
  });
  const closing = first.close();
  await ear('second').heard();
  leave();
  await closing;
  await ear('third').heard();
});

test('a connection that stops answering is replaced by a new one', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { heard } = ear('silent');
  await heard();
  const { rows } = await pool().query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'pomona listener' and datname = current_database()`,
  );
  const { pid } = rows[0]!;
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  vi.advanceTimersByTime(15_000);
  await heard();
}, 20_000);
