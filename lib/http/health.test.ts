import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { checkHealth, checkWeb } from '#lib/http/health';
import { newId } from '#lib/ids';
import { singleton } from '#lib/singleton';
import { storage } from '#lib/storage/store';

await useOwnDatabase();
process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-health-'));
const log = { warn: vi.fn() };
singleton('log', () => log);
const check = vi.spyOn(storage(), 'check');
const minutes = (n: number) => vi.spyOn(performance, 'now').mockReturnValue(n * 60_000);
afterEach(() => vi.restoreAllMocks());

test('health checks within a minute check storage once, and a missing worker is logged only after the startup period', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const many = await Promise.all(Array.from({ length: 50 }, checkHealth));
  expect(new Set(many).size).toBe(1);
  expect(many[0]).toMatchObject({ ok: false, storage: { ok: true }, worker: { ok: false, starting: true } });
  expect(log.warn).not.toHaveBeenCalled();
  vi.mocked(performance.now).mockReturnValue(31_000);
  expect(await checkHealth()).toMatchObject({ worker: { ok: false } });
  expect(check).toHaveBeenCalledTimes(1);
  expect(await checkWeb()).toEqual({ ok: true });
  expect(log.warn).toHaveBeenCalledOnce();
});

test('a failing part is logged once per outage and is checked again soon until it recovers', async () => {
  minutes(2);
  vi.spyOn(storage(), 'check').mockRejectedValueOnce(new Error('full')).mockRejectedValueOnce(new Error('full'));
  log.warn.mockClear();
  expect((await checkHealth()).storage).toEqual({ ok: false });
  minutes(2.1);
  expect((await checkHealth()).storage).toEqual({ ok: false });
  minutes(2.2);
  expect((await checkHealth()).storage).toEqual({ ok: true });
  const told = () => log.warn.mock.calls.filter(([{ part }]) => part === 'storage').length;
  expect(told()).toBe(1);
  minutes(4);
  vi.spyOn(storage(), 'check').mockRejectedValueOnce(new Error('full'));
  await checkHealth();
  expect(told()).toBe(2);
});

test('a worker that has not been seen for 20 seconds counts as absent', async () => {
  minutes(9);
  const seen = (secondsAgo: number) =>
    pool().query(
      `insert into workers (id, host, pid, seen_at) values ('${newId()}', 'here', 1, now() - $1 * interval '1 second')`,
      [secondsAgo],
    );
  await seen(20);
  expect(await checkHealth()).toMatchObject({ worker: { ok: false } });
  await seen(0);
  minutes(9.1);
  expect(await checkHealth()).toMatchObject({ ok: true, worker: { ok: true, alive: 1 } });
});

test.each(['queue', 'storage'] as const)('a deployment whose %s fails is reported as unhealthy', async part => {
  minutes(part === 'queue' ? 11 : 13);
  if (part === 'queue') await pool().query('alter table requests rename to elsewhere');
  else vi.spyOn(storage(), 'check').mockRejectedValueOnce(new Error('full'));
  expect(await checkHealth()).toMatchObject({
    ok: false,
    database: { ok: true },
    worker: { ok: true },
    [part]: { ok: false },
  });
  if (part === 'queue') await pool().query('alter table elsewhere rename to requests');
});
