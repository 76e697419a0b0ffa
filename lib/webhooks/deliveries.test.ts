import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Caller } from '#lib/accounts/callers';
import { accountWith } from '#lib/accounts/test-callers';
import { databaseAddress } from '#lib/db/address';
import { db, pool } from '#lib/db/client';
import { useOwnDatabase } from '#lib/db/test-database';
import { env } from '#lib/env';
import { newId } from '#lib/ids';
import { singletons } from '#lib/singleton';
import { announce, announceToAll, deliveryTo } from '#lib/webhooks/announce';
import { getDelivery, listDeliveries, resendDelivery, sendTest } from '#lib/webhooks/deliveries';
import { secretOf } from '#lib/webhooks/secrets';
import { settle } from '#lib/webhooks/settle';
import { takeDeliveries } from '#lib/webhooks/take-deliveries';
import { changeWebhook, createWebhook, getWebhook, type NewWebhook, type Webhook } from '#lib/webhooks/webhooks';

// no sender runs here: the tests take and settle deliveries themselves

await useOwnDatabase();
const SITE = 'https://example.com';

let caller: Caller;
beforeEach(async () => {
  caller = await accountWith(0);
  await pool().query('delete from webhooks');
});

const add = (path: string): Promise<NewWebhook> => createWebhook(caller.accountId, { url: `${SITE}${path}` });

const announceNow = (address: string | null = null) =>
  announce({
    accountId: caller.accountId,
    event: 'request.failed',
    sourceId: newId(),
    at: new Date(),
    data: {},
    address,
  });

const deliveriesOf = async ({ id }: { id: string }) => (await listDeliveries(caller.accountId, id, { limit: 50 })).data;

const NOTHING = { underWay: new Map<string, number>(), ofAccount: new Map<string, number>() };

/** Takes the next due delivery, as a worker that is sending nothing does. */
const takeNext = async (failing = false) => (await takeDeliveries({ failing, most: 1, ...NOTHING }))[0]!;

/** A failed attempt. */
const refused = (status = 500, at = new Date()) => ({ at: at.toISOString(), ms: 1, status, answer: '', error: null });

/** Records ten failed attempts, so that one is left. */
const tryTenTimes = (id: string) =>
  pool().query('update webhook_deliveries set tries = $2 where id = $1', [
    id,
    JSON.stringify(Array.from({ length: 10 }, (_, n) => refused(500, new Date(n)))),
  ]);

const told = async () => (await pool().query('select from notices where account_id = $1', [caller.accountId])).rowCount;

test('the account is notified once of a webhook that answers 410, even with several messages in progress', async () => {
  const webhook = await add('/gone');
  for (let sent = 0; sent < 2; sent++) await sendTest(caller.accountId, webhook.id);
  const underWay = await takeDeliveries({ failing: false, most: 2, ...NOTHING });
  for (const one of underWay) await settle(one, refused(410));
  expect(await told()).toBe(1);
});

test('secrets differ between webhooks, versions and deployments with different secret keys', async () => {
  const [one, other] = [await add('/a'), await add('/b')];
  const { SECRET_KEY } = env();
  const useKey = (key: string | undefined) => {
    Object.assign(env(), { SECRET_KEY: key });
    singletons.delete('secret.webhooks');
  };
  onTestFinished(() => useKey(SECRET_KEY));
  const secrets = [secretOf(one), secretOf(other), secretOf({ ...one, secretVersion: 2 })];
  useKey('another'.repeat(10));
  expect(new Set([...secrets, secretOf(one)]).size).toBe(4);
});

test('messages to addresses that requests name share a lane only with those to the same server', () => {
  const laneOf = (url: string) => deliveryTo({ id: 'a', url: null } as Webhook, url).lane;
  expect(laneOf(`${SITE}/one`)).toBe(laneOf(`${SITE}/two`));
  expect(laneOf('https://example.org/one')).not.toBe(laneOf(`${SITE}/one`));
});

test('a failing webhook notifies its account at most once a day, and again after its URL changes', async () => {
  const webhook = await add('/dead-for-long');
  const giveUp = async () => {
    const failing = (await getWebhook(caller.accountId, webhook.id)).failingSince !== null;
    const { id } = await sendTest(caller.accountId, webhook.id);
    await tryTenTimes(id);
    const taken = await takeNext(failing);
    await settle(taken, refused());
    expect(await getDelivery(caller.accountId, webhook.id, id)).toMatchObject({ status: 'failed' });
  };
  await giveUp();
  await giveUp();
  expect(await told()).toBe(1);
  // a webhook that fails intermittently raises at most one notice a day
  await pool().query('update webhooks set failing_since = null where id = $1', [webhook.id]);
  await giveUp();
  expect(await told()).toBe(1);
  await pool().query(`update notices set created_at = created_at - interval '25 hours'`);
  await giveUp();
  expect(await told()).toBe(2);
  // a failure at a new address is notified again
  await changeWebhook(caller.accountId, webhook.id, { url: `${SITE}/dead-elsewhere` });
  await giveUp();
  expect(await told()).toBe(3);
});

test('messages are listed newest first, page by page, and can be filtered by status', async () => {
  const webhook = await add('/listed');
  const sent: string[] = [];
  for (let n = 0; n < 3; n++) sent.push((await sendTest(caller.accountId, webhook.id)).id);
  await pool().query(`update webhook_deliveries set status = 'failed', due_at = null where id = $1`, [sent[1]]);
  const list = async (wanted: Omit<Parameters<typeof listDeliveries>[2], 'limit'> = {}) => {
    const { data, nextCursor } = await listDeliveries(caller.accountId, webhook.id, { limit: 2, ...wanted });
    return { ids: data.map(({ id }) => id), cursor: nextCursor ?? undefined };
  };
  const first = await list();
  const second = await list({ cursor: first.cursor });
  expect([first.ids, second.ids]).toEqual([[sent[2], sent[1]], [sent[0]]]);
  expect(second.cursor).toBeUndefined();
  expect((await list({ status: ['failed'] })).ids).toEqual([sent[1]]);
  expect((await list({ status: ['failed', 'pending'] })).ids).toEqual(first.ids);
});

test('a message that is resent stays due although its webhook was switched off and on during an attempt', async () => {
  const webhook = await add('/off-and-on');
  const { id } = await sendTest(caller.accountId, webhook.id);
  await takeNext();
  for (const enabled of [false, true]) await changeWebhook(caller.accountId, webhook.id, { enabled });
  await resendDelivery(caller.accountId, webhook.id, id);
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending', dueAt: expect.any(Date) }]);
});

test('a message is given up when its webhook is switched off during an attempt that fails', async () => {
  const webhook = await add('/off');
  await sendTest(caller.accountId, webhook.id);
  const taken = await takeNext();
  await changeWebhook(caller.accountId, webhook.id, { enabled: false });
  await settle(taken, refused());
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'failed', dueAt: null }]);
});

test('messages that an interrupted switch-off left are given up when due, or when the webhook is enabled again', async () => {
  const webhook = await add('/off-half-way');
  const asked = async () => (await sendTest(caller.accountId, webhook.id)).id;
  const [due, later] = [await asked(), await asked()];
  await pool().query(`update webhook_deliveries set due_at = now() + interval '1 hour' where id = $1`, [later]);
  await pool().query(`update webhooks set disabled_at = now(), disabled_because = 'owner' where id = $1`, [webhook.id]);
  expect(await takeNext()).toBeUndefined();
  const statusOf = async () => (await deliveriesOf(webhook)).map(({ id, status }) => [id, status]);
  expect(await statusOf()).toEqual(
    expect.arrayContaining([
      [due, 'failed'],
      [later, 'pending'],
    ]),
  );
  await changeWebhook(caller.accountId, webhook.id, { enabled: true });
  expect(await statusOf()).toEqual(
    expect.arrayContaining([
      [due, 'failed'],
      [later, 'failed'],
    ]),
  );
});

test('an attempt that is recorded twice, because the first answer was lost, counts once', async () => {
  const webhook = await add('/lost');
  await sendTest(caller.accountId, webhook.id);
  const taken = await takeNext();
  const made = refused();
  await settle(taken, made);
  const written = await deliveriesOf(webhook);
  await settle(taken, made);
  expect(await deliveriesOf(webhook)).toEqual(written);
  expect(written).toMatchObject([{ status: 'pending', tries: [made] }]);
});

test('a message that is resent during its last attempt gets all its attempts again', async () => {
  const webhook = await add('/last');
  const { id } = await sendTest(caller.accountId, webhook.id);
  await tryTenTimes(id);
  const taken = await takeNext();
  await resendDelivery(caller.accountId, webhook.id, id);
  await settle(taken, refused());
  expect(await deliveriesOf(webhook)).toMatchObject([{ status: 'pending', dueAt: expect.any(Date) }]);
});

test.each([
  ['an event', () => announceNow()],
  ['a test', ({ id }: NewWebhook) => sendTest(caller.accountId, id)],
  ['a message sent again', ({ id }: NewWebhook, sent: string) => resendDelivery(caller.accountId, id, sent)],
])('a webhook that is switched off at the same time gets no message for %s', async (_, tell) => {
  const webhook = await add('/off-meanwhile');
  const { id } = await sendTest(caller.accountId, webhook.id);
  await pool().query(`update webhook_deliveries set status = 'failed', due_at = null where id = $1`, [id]);
  const off = new pg.Client(databaseAddress());
  await off.connect();
  await off.query('begin');
  await off.query(`update webhooks set disabled_at = now(), disabled_because = 'owner' where id = $1`, [webhook.id]);
  const told = tell(webhook, id).catch((error: unknown) => error);
  const isWaitedFor = async () =>
    (await off.query(`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`))
      .rowCount === 1;
  await Promise.race([told, expect.poll(isWaitedFor).toBe(true)]);
  await off.query('commit');
  await off.end();
  await told;
  expect(await deliveriesOf(webhook)).toMatchObject([{ id, status: 'failed' }]);
});

test.each([
  [
    'a message of its is given up',
    async () => {
      const { id } = await add('/goes');
      await sendTest(caller.accountId, id);
      const taken = await takeNext();
      return () => settle(taken, refused(410));
    },
  ],
  [
    'the first request that names an address is told of',
    async () => {
      await add('/goes');
      return () => announceNow(`${SITE}/named`);
    },
  ],
])('deleting an account while %s causes no error', async (_, prepare) => {
  const act = await prepare();
  const deleting = new pg.Client(databaseAddress());
  await deleting.connect();
  await deleting.query('begin');
  await deleting.query('select from accounts where id = $1 for update', [caller.accountId]);
  const written = act().catch((error: unknown) => error);
  const waiting = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
  await expect.poll(async () => (await deleting.query(waiting)).rowCount).toBe(1);
  await deleting.query('delete from accounts where id = $1', [caller.accountId]);
  await deleting.query('commit');
  await deleting.end();
  expect(await written).toBeUndefined();
});

test('an attempt at an old URL does not affect the state of a webhook with a new URL', async () => {
  const { id } = await add('/old');
  await sendTest(caller.accountId, id);
  const taken = await takeNext();
  await changeWebhook(caller.accountId, id, { url: `${SITE}/new` });
  await settle(taken, refused(410));
  expect(await getWebhook(caller.accountId, id)).toMatchObject({ disabledAt: null, failingSince: null });
});

test('a message that a worker took and never settled is sent again with the same id', async () => {
  const webhook = await add('/taken');
  const { id } = await sendTest(caller.accountId, webhook.id);
  const wanted = { failing: false, most: 10, ...NOTHING };
  expect(await takeDeliveries(wanted)).toMatchObject([{ id, url: webhook.url }]);
  expect(await takeDeliveries(wanted)).toEqual([]);
  // the lease is longer than an attempt may take
  const isLeft = `select from webhook_deliveries where least(due_at, taken_until) > now() + interval '30 seconds'`;
  expect((await pool().query(isLeft)).rowCount).toBe(1);
  await pool().query(`update webhook_deliveries set due_at = due_at - interval '40 seconds' where id = $1`, [id]);
  expect(await takeDeliveries(wanted)).toMatchObject([{ id }]);
});

test('a working webhook has at most four messages in progress, a failing one a single one, in separate places', async () => {
  const [well, ill] = [await add('/well'), await add('/ill')];
  await pool().query('update webhooks set failing_since = now() where id = $1', [ill.id]);
  for (let n = 0; n < 6; n++) for (const { id } of [well, ill]) await sendTest(caller.accountId, id);
  const take = (failing: boolean, has: Partial<typeof NOTHING> = {}) =>
    takeDeliveries({ failing, most: 100, ...NOTHING, ...has });
  expect(await take(false, { ofAccount: new Map([[caller.accountId, 40]]) })).toEqual([]);
  expect((await take(false)).map(({ webhookId }) => webhookId)).toEqual(Array(4).fill(well.id));
  expect(await take(false, { underWay: new Map([[well.id, 4]]) })).toEqual([]);
  expect((await take(true)).map(({ webhookId }) => webhookId)).toEqual([ill.id]);
  expect(await take(true, { underWay: new Map([[ill.id, 1]]) })).toEqual([]);
});

test('an account has at most forty messages in progress, however many servers they go to', async () => {
  const { id } = await add('/many');
  await pool().query(
    `insert into webhook_deliveries (id, webhook_id, account_id, event, url, lane, body)
    select gen_random_uuid(), $1, $2, 'test', 'https://example.com', $1::uuid || ' https://' || n || '.example.com', '{}'
    from generate_series(1, 60) n`,
    [id, caller.accountId],
  );
  const take = async (underWay: number) => {
    const ofAccount = new Map([[caller.accountId, underWay]]);
    return (await takeDeliveries({ failing: false, most: 200, underWay: NOTHING.underWay, ofAccount })).length;
  };
  expect([await take(25), await take(40), await take(0), await take(0)]).toEqual([15, 0, 40, 5]);
});

test('an event for all webhooks is queued for every one of them, however many there are', async () => {
  const { rowCount } = await pool().query(
    `insert into webhooks (id, account_id, url, events)
    select gen_random_uuid(), $1, 'https://' || n || '.example.com', '{architecture.retired}' from generate_series(1, 9400) n`,
    [caller.accountId],
  );
  await db().transaction(tx => announceToAll('architecture.retired', new Date(), { architecture: 'kiwi' }, tx));
  const { rows } = await pool().query('select count(distinct url)::int from webhook_deliveries');
  expect(rows).toEqual([{ count: rowCount }]);
});
