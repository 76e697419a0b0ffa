import { expect, onTestFinished, test, vi } from 'vitest';
import { getAccount } from '#lib/accounts/accounts';
import { revokeApiKey } from '#lib/accounts/api-keys';
import { COMMAND_LINE } from '#lib/accounts/audit';
import type { Caller } from '#lib/accounts/callers';
import { changeAccount } from '#lib/accounts/govern';
import { accountWith, keyFor } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { LOCK_NOT_AVAILABLE } from '#lib/db/sql-states';
import { cancelGeneration } from '#lib/generations/cancel';
import { deleteAccount } from '#lib/generations/delete-account';
import { submitGeneration } from '#lib/generations/submit';
import { newId } from '#lib/ids';
import { acceptGeneration, type Draft } from '#lib/life/accept';
import { UNFETCHED_CHANNEL, WAITING_CHANNEL } from '#lib/life/doorbell';
import { FINAL_CHANNEL } from '#lib/life/finish';
import {
  accepted,
  begin,
  commitWhenWaitedFor,
  expectWholeBooks,
  hear,
  submit,
  submitMany,
} from '#lib/life/test-requests';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const caller = await accountWith(1_000_000);

/** Returns a factory of drafts that differ only in their ids. */
async function draftsOf({ accountId, keyId }: Caller, engine = 'preview'): Promise<() => object> {
  const sql = `select to_jsonb(requests) as row from requests where id = $1`;
  const { rows } = await pool().query<{ row: object }>(sql, [await submit(await accountWith(10))]);
  return () => ({
    ...rows[0]?.row,
    id: newId(),
    account_id: accountId,
    api_key_id: keyId,
    engine,
    line: engine,
    gems: 10,
  });
}

/** Submits identical drafts in one statement; returns the statuses of the accepted ones. */
async function acceptMany(
  who: Caller,
  count: number,
  {
    budget = null as number | null,
    engine = 'preview',
    key = null as string | null,
    most = null as number | null,
  } = {},
): Promise<string[]> {
  const draft = await draftsOf(who, engine);
  const asked = Array.from({ length: count }, () => ({ draft: draft(), scope: who.accountId, key, budget, most }));
  const decided = await pool().query<{ status: string }>('select status from accept_drafts($1) order by n', [
    JSON.stringify(asked),
  ]);
  return decided.rows.map(({ status }) => status);
}

/** Submits one draft without waiting for its account's lock. */
async function acceptAlone(who: Caller, engine = 'preview') {
  const draft = await draftsOf(who, engine);
  const { rows } = await pool().query<{ outcome: string; status: string; isNext: boolean }>(
    `select outcome, (request).status, (request).turn_at = (request).created_at as "isNext"
    from accept_generation($1, $2, null, null, false)`,
    [JSON.stringify(draft()), who.accountId],
  );
  return rows[0];
}

test('workers are notified of a single submit, of concurrent submits, and of a submit with media to fetch', async () => {
  const waiting = await hear(WAITING_CHANNEL);
  await submit(caller);
  await expect.poll(() => waiting.told).toContain('');
  waiting.told.length = 0;
  const askers = await Promise.all(Array.from({ length: 8 }, () => accountWith(1_000)));
  await Promise.all(askers.map(who => submit(who)));
  await expect.poll(() => waiting.told).toContain('');
  await waiting.listener.close();

  const unfetched = await hear(UNFETCHED_CHANNEL);
  const body = { prompt: 'dusk', image: 'https://example.com/a.png' };
  await submitGeneration({ caller, architectureId: 'mango', body: () => Promise.resolve(body) });
  await expect.poll(() => unfetched.told).toContain('');
  await unfetched.listener.close();
});

test('concurrent submits are accepted up to the request limit, and the others are rejected as too_many_requests', async () => {
  const who = await accountWith(10_000);
  const outcomes = await submitMany(who, 40);
  expect(accepted(outcomes)).toHaveLength(20);
  for (const one of outcomes)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'too_many_requests' });
  await expectWholeBooks();
});

test('concurrent submits are accepted as far as balance and budget allow', async () => {
  for (const who of [await accountWith(70), await accountWith(10_000, { monthlyBudget: 70 })]) {
    const outcomes = await submitMany(who, 15);
    expect(accepted(outcomes)).toHaveLength(7);
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'insufficient_gems' });
  }
  await expectWholeBooks();
});

test('an API key has at most its limit of live requests, without affecting other keys of its account', async () => {
  const { accountId } = await accountWith(10_000);
  const small = await keyFor(accountId, { inFlightLimit: 3 });
  const outcomes = await submitMany(small, 8);
  const [first, ...more] = accepted(outcomes);
  expect(more).toHaveLength(2);
  for (const one of outcomes)
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({
        code: 'too_many_requests',
        message: expect.stringContaining('API key has 3'),
      });
  expect(accepted(await submitMany(small, 1))).toEqual([]);
  expect(accepted(await submitMany(await keyFor(accountId), 5))).toHaveLength(5);
  await cancelGeneration(accountId, first!);
  const other = await keyFor(accountId);
  const beside = await Promise.all([small, other].map(who => submitMany(who, 4)));
  expect(beside.map(some => accepted(some).length)).toEqual([1, 4]);
  await cancelGeneration(accountId, more[0]!);
  expect(accepted(await submitMany(small, 1))).toHaveLength(1);
  await expectWholeBooks();
});

test('a batch of submits in one statement respects the limits, the balance and the budget', async () => {
  expect(await acceptMany(await accountWith(10_000), 25)).toHaveLength(20);
  expect(await acceptMany(await accountWith(70), 15)).toHaveLength(7);
  expect(await acceptMany(await accountWith(10_000), 15, { budget: 70 })).toHaveLength(7);
  const who = await accountWith(10_000);
  expect(await acceptMany(who, 4, { budget: 70 })).toHaveLength(4);
  expect(await acceptMany(who, 15, { budget: 70 })).toHaveLength(3);
  const small = await keyFor(who.accountId);
  expect(await acceptMany(small, 5, { most: 3, budget: 30 })).toHaveLength(3);
  expect(await acceptMany(small, 5, { most: 4 })).toHaveLength(1);
  await expectWholeBooks();
});

test('only one submit of a batch is accepted under one idempotency key', async () => {
  const who = await accountWith(10_000);
  expect(await acceptMany(who, 3, { key: 'met' })).toHaveLength(1);
  expect(await acceptMany(who, 1, { key: 'met' })).toEqual([]);
  await expectWholeBooks();
});

test('only as many requests start in progress as working servers have places that no waiting request will take', async () => {
  await pool().query(
    `insert into servers (id, engine, places, ok) values ('gpu/1', 'gpu', 3, false), ('other/1', 'other', 9, true)`,
  );
  const accept = async (count: number) => acceptMany(await accountWith(10_000), count, { engine: 'gpu' });
  const alone = async () => acceptAlone(await accountWith(10_000), 'gpu');
  expect(await accept(1)).toEqual(['queued']);
  // requests of another engine take no places
  expect(await acceptMany(await accountWith(10_000), 1, { engine: 'other' })).toEqual(['in_progress']);
  await pool().query(`update servers set ok = true where id = 'gpu/1'`);
  expect(await alone()).toMatchObject({ status: 'in_progress', isNext: true });
  // the request that was queued before will take one of the places
  expect(await accept(5)).toEqual(['in_progress', 'queued', 'queued', 'queued', 'queued']);
  expect(await alone()).toMatchObject({ status: 'queued', isNext: true });
  expect(await accept(1)).toEqual(['queued']);
  // servers of a dead worker do not count
  const worker = newId();
  await pool().query(
    `insert into workers (id, host, pid, seen_at) values ($1, 'here', 1, now() - interval '16 seconds')`,
    [worker],
  );
  await pool().query(`insert into servers (id, engine, worker, places) values ('gpu/2', 'gpu', $1, 9)`, [worker]);
  expect(await accept(1)).toEqual(['queued']);
  await pool().query('update workers set seen_at = now() where id = $1', [worker]);
  expect(await accept(1)).toEqual(['in_progress']);
});

test('a submit that waits for its account past the end of a month counts against the new month only', async () => {
  const who = await accountWith(10_000, { monthlyBudget: 10 });
  await submit(who);
  const draft = JSON.stringify((await draftsOf(who))());
  const client = await pool().connect();
  try {
    await client.query('begin');
    // clock_timestamp() returns the next month in a transaction that began in this one
    await client.query('create schema later');
    const clock = `create function later.clock_timestamp() returns timestamptz language sql volatile as $$select now() + interval '1 month'$$`;
    await client.query(clock);
    await client.query('set local search_path = later, pg_catalog, public');
    const decided = await client.query(
      `select outcome, (request).created_at > now() + interval '1 day' as "isOfNewMonth" from accept_generation($1, $2, null, 10, true)`,
      [draft, who.accountId],
    );
    expect(decided.rows).toEqual([{ outcome: 'accepted', isOfNewMonth: true }]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a submit is rejected if its key was revoked or its account disabled after authentication', async () => {
  const [one, other] = [await accountWith(10_000), await accountWith(10_000)];
  await revokeApiKey(one.accountId, String(one.keyId));
  await changeAccount(COMMAND_LINE, other.accountId, { disabled: true });
  for (const who of [one, other]) {
    for (const outcome of await submitMany(who, 3))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unauthorized' } });
    expect(await acceptMany(who, 3)).toEqual([]);
  }
});

test('a locked account does not delay the submits of other accounts', async () => {
  const [held, free] = [await accountWith(10_000), await accountWith(10_000)];
  const client = await begin();
  try {
    await client.query('select from accounts where id = $1 for update', [held.accountId]);
    // batches and impatient submits skip the locked account
    expect(await acceptMany(held, 3)).toEqual([]);
    expect(await acceptAlone(held)).toMatchObject({ outcome: 'busy' });
    const waiting = submitMany(held, 3);
    expect(accepted(await submitMany(free, 5))).toHaveLength(5);
    await client.query('commit');
    expect(accepted(await waiting)).toHaveLength(3);
  } finally {
    await client.end();
  }
});

test('a submit waits at most 5 seconds for its account, and its connection has no lock timeout afterwards', async () => {
  const who = await accountWith(10_000);
  const client = await begin();
  onTestFinished(() => client.end());
  const patience = async () => (await client.query('show lock_timeout')).rows[0].lock_timeout;
  const accept = 'select from accept_generation($1, $2, null, null, true)';
  await client.query(accept, [JSON.stringify((await draftsOf(who))()), who.accountId]);
  expect(await patience()).toBe('5s');
  await client.query('commit');
  expect(await patience()).toBe('0');
});

test('submits queued behind one that timed out on the account lock are rejected immediately', async () => {
  const who = await accountWith(10_000);
  let waits = 0;
  const asked = vi.spyOn(pool(), 'query').mockImplementation(async (...[query]: unknown[]) => {
    const { values } = query as { values: unknown[] };
    const isPatient = values[4] === true;
    waits += Number(isPatient);
    if (isPatient) throw Object.assign(new Error('it is held'), { code: LOCK_NOT_AVAILABLE });
    return { rows: [] };
  });
  const accept = () =>
    acceptGeneration(
      { accountId: who.accountId } as Draft,
      { id: newId(), key: undefined },
      { budget: null, inFlight: null },
    );
  const outcomes = await Promise.allSettled([accept(), accept(), accept()]).finally(() => asked.mockRestore());
  for (const one of outcomes) expect(one).toMatchObject({ reason: { code: 'submission_in_progress' } });
  expect(waits).toBe(1);
});

test('a request that is accepted while its account is deleted is announced as ended', async () => {
  const who = await accountWith(10_000);
  const { told, listener } = await hear(FINAL_CHANNEL);
  const accepting = await begin();
  await accepting.query('select from accounts where id = $1 for no key update', [who.accountId]);
  const { rows } = await accepting.query<{ id: string }>(
    `insert into requests select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'account_id', $2::text))).*
    from requests r where r.id = $1 returning id`,
    [await submit(await accountWith(10_000)), who.accountId],
  );
  const account = await getAccount(who.accountId);
  const deleted = deleteAccount(account, account.email);
  await commitWhenWaitedFor(accepting);
  await deleted;
  await expect.poll(() => told).toContain(rows[0]!.id);
  await listener.close();
});

test('a draft that omits columns with defaults is accepted, since an older version may not know them all', async () => {
  const who = await accountWith(10_000);
  const { rows } = await pool().query<{ row: object }>(
    `select to_jsonb(requests) - array(
        select attname::text from pg_attribute where attrelid = 'requests'::regclass and attnotnull and atthasdef
      ) as row from requests where id = $1`,
    [await submit(who)],
  );
  const draft = () => ({ ...rows[0]!.row, id: newId() });
  const alone = await pool().query('select outcome from accept_generation($1, $2, null, null, true)', [
    JSON.stringify(draft()),
    who.accountId,
  ]);
  expect(alone.rows).toEqual([{ outcome: 'accepted' }]);
  const asked = JSON.stringify([{ draft: draft(), scope: who.accountId }]);
  expect((await pool().query('select n from accept_drafts($1)', [asked])).rowCount).toBe(1);
});

test('the database functions behind every call are set to use indexes (enable_seqscan=off)', async () => {
  const { rows } = await pool().query<{ name: string }>(
    `select proname as name from pg_proc
    where proname in ('callers_and_requests', 'callers_and_first_answers', 'first_answers', 'accept_generation', 'accept_drafts')
      and 'enable_seqscan=off' = any(proconfig) order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'accept_drafts',
    'accept_generation',
    'callers_and_first_answers',
    'callers_and_requests',
    'first_answers',
  ]);
});
