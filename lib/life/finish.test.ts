import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listLedger, readBalance } from '#lib/accounts/ledger';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { OWED_CHANNEL } from '#lib/db/owe';
import { requests } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { cancelGeneration } from '#lib/generations/cancel';
import { getGeneration } from '#lib/generations/read';
import { heldBy } from '#lib/life/claim';
import { finish, FINAL_CHANNEL, type Ending } from '#lib/life/finish';
import {
  begin,
  claim,
  completed,
  expectWholeBooks,
  failed,
  hear,
  submitAndClaim,
  WAITING,
  WORKER,
} from '#lib/life/test-requests';

await useOwnDatabase();
process.env.LOG_LEVEL = 'silent';

const caller = await accountWith(1_000_000);
const { accountId } = caller;

test('a request ends only once, and a failure is refunded once, to its own account', async () => {
  const other = await accountWith(100);
  const before = await readBalance(accountId);
  const held = await submitAndClaim(caller);
  expect(await finish(heldBy(held), failed)).toMatchObject([{ status: 'failed', refunded: true, worker: null }]);
  expect(await finish(heldBy(held), failed)).toEqual([]);
  expect(await finish(heldBy(held), completed())).toEqual([]);
  expect(await claim(held.id)).toBeNull();
  await expect(cancelGeneration(accountId, held.id)).rejects.toMatchObject({ code: 'request_finished' });
  expect(await readBalance(accountId)).toBe(before);
  expect(await readBalance(other.accountId)).toBe(100);
});

test('a failure is refunded to the key that it was charged to', async () => {
  const held = await submitAndClaim(caller);
  await finish(heldBy(held), failed);
  const { data } = await listLedger(accountId, { limit: 2 });
  expect(data).toMatchObject(['refund', 'charge'].map(kind => ({ kind, requestId: held.id, apiKeyId: caller.keyId })));
});

test('the stored cause of a failure is limited to 2,000 characters', async () => {
  const held = await submitAndClaim(caller);
  const [ended] = await finish(heldBy(held), { status: 'failed', message: 'no', cause: 'x'.repeat(3_000) });
  expect(ended?.failureCause).toHaveLength(2_000);
});

test('a cancelled request stays cancelled when its worker reports an end afterwards', async () => {
  const held = await submitAndClaim(caller);
  await cancelGeneration(accountId, held.id);
  expect(await finish(heldBy(held), completed())).toEqual([]);
  expect(await finish(heldBy(held), failed)).toEqual([]);
  expect(await getGeneration(accountId, held.id)).toMatchObject({ status: 'cancelled', result: null, refunded: false });
});

test('only one of several concurrent ends is written, and the ledger stays consistent', async () => {
  const held = await submitAndClaim(caller);
  const ends = [completed(), failed, completed(), failed, completed(), failed];
  const won = await Promise.all(ends.map(end => finish(heldBy(held), end)));
  expect(won.flat()).toHaveLength(1);
  await expectWholeBooks();
});

test('listeners are notified of every end of a request', async () => {
  const { told, listener } = await hear(FINAL_CHANNEL);
  const ends: Ending[] = [completed(), failed, { status: 'cancelled' }];
  for (const end of ends) {
    const held = await submitAndClaim(caller);
    await finish(heldBy(held), end);
    await expect.poll(() => told).toContain(held.id);
  }
  await listener.close();
});

test('outbox consumers are notified only of an end that owes them something', async () => {
  const { told, listener } = await hear(OWED_CHANNEL);
  const [quiet, heard] = [await submitAndClaim(caller), await submitAndClaim(caller)];
  await pool().query(`update requests set webhook = 'https://hooks.example.com/' where id = $1`, [heard.id]);
  await finish(heldBy(quiet), completed());
  await finish(heldBy(heard), completed());
  await expect.poll(() => told.filter(word => word !== 'ready')).toEqual(['']);
  await listener.close();
});

test('a failure locks its account before its request, as the deletion of the account does', async () => {
  const { id } = await submitAndClaim(caller);
  const deleting = await begin();
  await deleting.query('select from accounts where id = $1 for update', [accountId]);
  const ended = finish(eq(requests.id, id), failed);
  await expect.poll(async () => (await deleting.query(WAITING)).rowCount).toBe(1);
  await deleting.query('select from requests where id = $1 for update nowait', [id]);
  await deleting.query('rollback');
  await deleting.end();
  expect(await ended).toMatchObject([{ id, status: 'failed' }]);
});

test('a failure of requests of several accounts locks the accounts in the order of their ids', async () => {
  const callers = [await accountWith(1_000), await accountWith(1_000)];
  const ids: string[] = [];
  for (const one of callers) ids.push((await submitAndClaim(one)).id);
  const [first, second] = callers.map(one => one.accountId).toSorted();
  // the update moves the row to the end of the table
  await pool().query('update accounts set name = $2 where id = $1', [first, 'Ada']);
  const holding = await begin();
  await holding.query('select from accounts where id = $1 for update', [first]);
  const ended = finish(inArray(requests.id, ids), failed);
  await expect.poll(async () => (await holding.query(WAITING)).rowCount).toBe(1);
  await holding.query('select from accounts where id = $1 for update nowait', [second]);
  await holding.query('rollback');
  await holding.end();
  expect(await ended).toHaveLength(2);
});

test('the end of a request is written completely or not at all', async () => {
  const held = await submitAndClaim(caller);
  await pool().query(`
    create function lose() returns trigger language plpgsql as $$ begin raise 'the books are closed'; end $$;
    create trigger lose before insert on ledger for each row execute function lose()`);
  await expect(finish(heldBy(held), failed)).rejects.toMatchObject({ cause: { message: 'the books are closed' } });
  await pool().query('drop trigger lose on ledger');
  expect(await getGeneration(accountId, held.id)).toMatchObject({ status: 'in_progress', worker: WORKER });
  expect(await finish(heldBy(held), failed)).toHaveLength(1);
});

test('the ledger rejects a second charge and a second refund of a request', async () => {
  const held = await submitAndClaim(caller);
  await finish(heldBy(held), failed);
  for (const kind of ['charge', 'refund']) {
    const again = pool().query(
      `insert into ledger (account_id, kind, gems, balance_after, request_id)
      select account_id, kind, gems, balance_after, request_id from ledger where request_id = $1 and kind = $2`,
      [held.id, kind],
    );
    await expect(again).rejects.toMatchObject({ code: '23505', constraint: 'ledger_once_per_request' });
  }
});

test('ledger entries cannot be changed or deleted', async () => {
  for (const change of ['update ledger set gems = 1', 'delete from ledger', 'truncate ledger'])
    await expect(pool().query(change)).rejects.toThrow('never changed');
});
