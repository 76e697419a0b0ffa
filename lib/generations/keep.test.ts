import { afterEach, expect, test, vi } from 'vitest';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { keepResult, releaseResult } from '#lib/generations/keep';
import { listGenerations } from '#lib/generations/list';
import { removeGeneration } from '#lib/generations/remove';
import { DAY, accountId, make, other } from '#lib/generations/test-results';
import { toWire } from '#lib/generations/to-wire';
import { raiseExpiring } from '#lib/notices/raise-expiring';
import { readQuotas } from '#lib/quotas';
import { expireMedia } from '#lib/retention/expire-media';

await useOwnDatabase();
process.env.LIMIT_STORED_BYTES = '1000';

afterEach(() => vi.useRealTimers());

const expiryOf = async (id: string): Promise<Date> =>
  (await pool().query('select expires_at from media where request_id = $1', [id])).rows[0].expires_at;
/** Whether the result and its smaller forms are not deleted. */
const isThere = async (id: string): Promise<boolean> =>
  (await pool().query('select deleted_at from media where request_id = $1', [id])).rows.every(
    ({ deleted_at }) => deleted_at === null,
  );
const stored = async () => (await readQuotas(accountId)).find(({ setting }) => setting === 'LIMIT_STORED_BYTES')?.used;

test('keeping a result that is still in progress is refused as request_live', async () => {
  const id = await make();
  await pool().query(`update requests set status = 'in_progress', result = null where id = $1`, [id]);
  await expect(keepResult(accountId, id)).rejects.toMatchObject({ code: 'request_live' });
});

test('a kept result outlives its 30 days and counts as stored until it is released or removed', async () => {
  const [kept, left] = [await make({ daysAgo: 29, bytes: 80, previewBytes: 20 }), await make({ daysAgo: 29 })];
  expect(toWire(await keepResult(accountId, kept)).kept).toBe(true);
  expect(await keepResult(accountId, kept)).toMatchObject({ kept: true });
  expect(await stored()).toBe(100);
  const listed = await listGenerations(accountId, { limit: 9, kept: true });
  expect(listed.data.map(({ id }) => id)).toEqual([kept]);
  expect(toWire(listed.data[0]!).result?.expires_at).toBe('9999-12-31T23:59:59.999Z');
  await expireMedia(new Date(Date.now() + 400 * DAY));
  expect([await isThere(kept), await isThere(left)]).toEqual([true, false]);

  const released = toWire(await releaseResult(accountId, kept));
  expect(released).not.toHaveProperty('kept');
  expect(released.result?.expires_at).toBe((await expiryOf(kept)).toISOString());
  expect((await expiryOf(kept)).getTime()).toBeGreaterThan(Date.now() + 6.9 * DAY);
  expect(await stored()).toBe(0);

  await keepResult(accountId, kept);
  await removeGeneration(accountId, kept);
  expect(await stored()).toBe(0);
  expect((await expiryOf(kept)).getTime()).toBeLessThanOrEqual(Date.now());
});

test('a result that is kept and released repeatedly gets extra time only for as long as it was kept', async () => {
  const id = await make({ daysAgo: 29 });
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  // each action is called twice concurrently, as by a double click
  const twice = (act: typeof keepResult) => Promise.all([act(accountId, id), act(accountId, id)]);
  const expiryWhenKept = async ({ from, to }: { from: number; to: number }) => {
    vi.setSystemTime(start + from * DAY);
    await twice(keepResult);
    vi.setSystemTime(start + to * DAY);
    await twice(releaseResult);
    return ((await expiryOf(id)).getTime() - start) / DAY;
  };
  expect(await expiryWhenKept({ from: 0, to: 0 })).toBe(7);
  expect(await expiryWhenKept({ from: 6, to: 6 })).toBe(7);
  expect(await expiryWhenKept({ from: 6, to: 8 })).toBe(11);
  expect(await expiryWhenKept({ from: 8, to: 40 })).toBe(47);
});

test('concurrent keeps, releases and removals succeed or report media_expired, and a removed result is not kept', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => make({ bytes: 10, previewBytes: 5 })));
  const acts = ids.flatMap(id => [
    ...[keepResult, releaseResult, keepResult, releaseResult, keepResult].map(act => () => act(accountId, id)),
    () => removeGeneration(accountId, id),
  ]);
  const ends = await Promise.allSettled(acts.map(act => act()));
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'media_expired' });
  const { rows } = await pool().query(
    `select r.id from requests r join media m on m.request_id = r.id where r.id = any($1)
      and (r.kept or r.removed_at is null or m.expires_at > now() or (r.result ->> 'expiresAt')::timestamptz > now() + interval '30 days')`,
    [ids],
  );
  expect(rows).toEqual([]);
});

test('a result is not kept if it has expired, belongs to another account or exceeds the storage quota', async () => {
  await expect(keepResult(accountId, await make({}, other))).rejects.toMatchObject({
    code: 'request_not_found',
  });
  await expect(keepResult(accountId, await make({ daysAgo: 31 }))).rejects.toMatchObject({ code: 'media_expired' });
  const rival = [await make({ bytes: 600 }), await make({ bytes: 600 })];
  const outcomes = await Promise.allSettled(rival.map(id => keepResult(accountId, id)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'quota_exceeded' } });
  // releasing needs no room, and restores the 30 days
  const kept = rival[outcomes.findIndex(({ status }) => status === 'fulfilled')]!;
  const { created_at, result } = toWire(await releaseResult(accountId, kept));
  expect(Date.parse(result!.expires_at)).toBe(Date.parse(created_at) + 30 * DAY);
});

test('the renditions of a kept result count towards the storage quota', async () => {
  await keepResult(accountId, await make({ bytes: 300, previewBytes: 50 }));
  expect(await stored()).toBe(350);
  await expect(keepResult(accountId, await make({ bytes: 600, previewBytes: 51 }))).rejects.toMatchObject({
    code: 'quota_exceeded',
  });
  await keepResult(accountId, await make({ bytes: 600, previewBytes: 50 }));
  expect(await stored()).toBe(1000);
});

test('results that expire within a week are listed, except kept ones', async () => {
  const [, soon, kept] = [await make({ daysAgo: 20 }), await make({ daysAgo: 25 }), await make({ daysAgo: 26 })];
  await make({ daysAgo: 31 });
  await keepResult(accountId, kept);
  const { data } = await listGenerations(accountId, { limit: 9, expiring: true });
  expect(data.map(({ id }) => id)).toEqual([soon]);
});

test('a result released after its 30 days is listed as expiring and counted in the notice', async () => {
  const [soon, removed, released] = [
    await make({ daysAgo: 25 }),
    await make({ daysAgo: 26 }),
    await make({ daysAgo: 35 }),
  ];
  await removeGeneration(accountId, removed);
  await pool().query(`update media set expires_at = '9999-12-31' where request_id = $1`, [released]);
  await pool().query('update requests set kept = true where id = $1', [released]);
  await releaseResult(accountId, released);
  const { data } = await listGenerations(accountId, { limit: 9, expiring: true });
  expect(data.map(({ id }) => id)).toEqual([soon, released]);
  await raiseExpiring(new Date());
  const { rows } = await pool().query('select data from notices where account_id = $1', [accountId]);
  expect(rows[0].data).toMatchObject({ count: 2, request_ids: [soon, released] });
});
