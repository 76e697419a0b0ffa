import { openReceiver } from '#lib/webhooks/webhook-test-server';
import { test, expect, type Deployment } from './deployment.ts';
import { expectSettled, startLoad } from './load.ts';

// processes that are killed, paused or told to stop while they are busy

test.describe.configure({ timeout: 240_000 });

/** A generation that takes seconds, long enough to pause the worker meanwhile. */
const SLOW = { architecture: 'kiwi', body: { prompt: 'a slow river', resolution: '720p', duration: '5' } };

const fiveCustomers = (deployment: Deployment) => Promise.all(Array.from({ length: 5 }, () => deployment.open()));

/** Kills the worker. Retries, as the last known worker may have died and its successor may not be ready yet. */
const killWorker = (deployment: Deployment) =>
  expect.poll(() => isKilled(deployment.workerPid()), { timeout: 30_000 }).toBe(true);

function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

test('50 requests end correctly despite kill -9 of web, worker and Postgres in turn', async ({ deploy, random }) => {
  const deployment = await deploy();
  const customers = await fiveCustomers(deployment);
  const load = startLoad(customers, 50);
  const somewhere = (from: number, to: number) => from + Math.floor(random() * (to - from));

  await load.accepted(somewhere(1, 45));
  process.kill(deployment.webPids()[0]!, 'SIGKILL');

  await load.finished(somewhere(1, 8));
  await killWorker(deployment);

  await load.finished(somewhere(10, 20));
  process.kill(deployment.postgresPid(), 'SIGKILL');

  await expectSettled(deployment, customers, await load.done);
});

test('50 requests end correctly after kill -9 of all processes at the same time and one restart', async ({
  deploy,
  random,
}) => {
  const deployment = await deploy();
  const customers = await fiveCustomers(deployment);
  const load = startLoad(customers, 50);
  await load.finished(1 + Math.floor(random() * 10));
  const pids = [deployment.starter.pid, ...deployment.webPids(), deployment.workerPid(), deployment.postgresPid()];
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await deployment.starter.ended;
  await deployment.restart();
  await expectSettled(deployment, customers, await load.done);
});

test('20 requests end correctly despite repeated kills of the worker', async ({ deploy }) => {
  const deployment = await deploy();
  const customers = await fiveCustomers(deployment);
  const load = startLoad(customers, 20);
  for (let killed = 1; killed <= 3; killed++) {
    await load.finished(killed);
    const pid = deployment.workerPid();
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => deployment.workerPid(), { timeout: 30_000 }).not.toBe(pid);
  }
  await expectSettled(deployment, customers, await load.done);
});

/** Number of times a worker is killed; FAULT_KILLS overrides `usual` for a longer manual run. */
const killsOr = (usual: number) => Number(process.env.FAULT_KILLS ?? usual);
const KILLS = killsOr(6);
const KILLS_OF_SENDERS = killsOr(3);

test('no request fails when workers are killed repeatedly while another one runs', async ({ deploy }) => {
  test.setTimeout(120_000 + KILLS * 20_000);
  const deployment = await deploy({ WORKER: 'off', WORKER_CONCURRENCY: '1' });
  const customers = await fiveCustomers(deployment);
  deployment.startWorker();
  const loads = [];
  for (let killed = 1; killed <= KILLS; killed++) {
    loads.push(startLoad(customers, 15));
    const worker = deployment.startWorker();
    await expect.poll(() => worker.output(), { timeout: 30_000 }).toContain('generation started');
    await worker.kill();
  }
  const finals = (await Promise.all(loads.map(load => load.done))).flat();
  expect(new Set(finals.map(({ status }) => status))).toEqual(new Set(['completed']));
  await expectSettled(deployment, customers, finals);
  const { rows } = await deployment.pool.query(
    'select sum(attempts)::int as attempts, sum(interruptions)::int as interruptions, max(interruptions) as most from requests',
  );
  console.log(rows[0]);
  expect(rows[0].attempts).toBe(0);
});

test('webhooks receive every end of a request despite killed workers; repeats have the same id and body', async ({
  deploy,
  random,
}) => {
  test.setTimeout(60_000 + KILLS_OF_SENDERS * 10_000);
  const deployment = await deploy({ WORKER: 'off', ALLOWED_PRIVATE_HOSTS: 'localhost' });
  const receiver = await openReceiver();
  const customer = await deployment.open({ gems: 1_000_000 });
  expect((await customer.api.post('/v1/webhooks', { data: { url: receiver.url } })).status()).toBe(201);
  const ended: string[] = [];
  for (let killed = 1; killed <= KILLS_OF_SENDERS; killed++) {
    const requests = await Promise.all(Array.from({ length: 15 }, () => customer.submit()));
    for (const { request_id } of requests) {
      expect((await customer.cancel(request_id)).status()).toBe(200);
      ended.push(request_id);
    }
    const before = receiver.received.length;
    const worker = deployment.startWorker();
    await receiver.came(before + 1 + Math.floor(random() * 14));
    await worker.kill();
  }
  // Postgres may still be finishing statements of killed processes
  const underWay = `select count(*)::int from pg_stat_activity
    where application_name = 'pomona' and datname = current_database() and state <> 'idle'`;
  await expect.poll(async () => (await deployment.pool.query(underWay)).rows[0].count).toBe(0);
  // rows taken by killed workers stay reserved for a while; this ends the wait
  for (const table of ['outbox', 'webhook_deliveries'])
    await deployment.pool.query(`update ${table} set due_at = now() where due_at > now()`);
  deployment.startWorker();
  const owed = `select (select count(*) from outbox where consumer = 'webhooks')::int
    + (select count(*) from webhook_deliveries where status <> 'delivered')::int as count`;
  await expect.poll(async () => (await deployment.pool.query(owed)).rows[0].count, { timeout: 30_000 }).toBe(0);
  const told = Map.groupBy(receiver.received, ({ body }) => JSON.parse(body).data.request_id as string);
  expect(new Set(told.keys())).toEqual(new Set(ended));
  for (const messages of told.values()) expect(new Set(messages.map(({ id, body }) => id + body)).size).toBe(1);
  console.log({ ended: ended.length, messages: receiver.received.length });
  await receiver.close();
});

test('a request fails after its worker was killed five times, and another request completes', async ({ deploy }) => {
  const deployment = await deploy({ WORKER: 'off', WORKER_CONCURRENCY: '1' });
  const customer = await deployment.open();
  const deadly = await customer.submit(SLOW);
  // four interruptions are set by SQL, the fifth happens here
  await deployment.pool.query('update requests set interruptions = 4');
  const worker = deployment.startWorker();
  await expect.poll(() => worker.output(), { timeout: 30_000 }).toContain('generation started');
  const harmless = await customer.submit();
  await worker.kill();
  deployment.startWorker();
  const [failed, completed] = await Promise.all([customer.finish(deadly), customer.finish(harmless)]);
  expect(failed).toMatchObject({ status: 'failed', billing: { gems_refunded: deadly.billing.gems_charged } });
  expect(completed.status).toBe('completed');
  await deployment.checkLedger();
});

test('twenty requests of one account do not delay the first request of another', async ({ deploy }) => {
  const deployment = await deploy({ WORKER: 'off', WORKER_CONCURRENCY: '1' });
  const [many, one] = [await deployment.open(), await deployment.open()];
  for (let n = 0; n < 20; n++) await many.submit();
  const first = await one.submit();
  deployment.startWorker();
  await one.finish(first);
  const { rows } = await deployment.pool.query<{ account_id: string }>(
    'select account_id from requests where started_at is not null order by started_at limit 2',
  );
  expect(rows.map(row => row.account_id)).toEqual([many.accountId, one.accountId]);
});

for (const moment of ['after the other is done', 'while the other still runs']) {
  test(`a worker paused beyond its heartbeat loses its request when resumed ${moment}`, async ({ deploy }) => {
    const deployment = await deploy({ WORKER: 'off' });
    const customer = await deployment.open();
    const accepted = await customer.submit(SLOW);
    const claim = async () => {
      const { rows } = await deployment.pool.query('select claim, progress from requests');
      return rows[0].progress > 0 ? rows[0].claim : 0;
    };
    const paused = deployment.startWorker();
    await expect.poll(claim, { timeout: 30_000 }).toBe(1);
    process.kill(paused.pid, 'SIGSTOP');

    deployment.startWorker();
    if (moment.startsWith('after')) await customer.finish(accepted);
    else await expect.poll(claim, { timeout: 60_000, intervals: [50] }).toBe(2);
    process.kill(paused.pid, 'SIGCONT');
    const final = await customer.finish(accepted);
    await paused.stop();

    expect(final.status).toBe('completed');
    expect(paused.output()).not.toContain('request finished');
    expect(await customer.status(accepted.request_id)).toEqual(final);
    const { rows } = await deployment.pool.query('select claim, attempts, interruptions from requests');
    expect(rows).toEqual([{ claim: 2, attempts: 0, interruptions: 1 }]);
    const outputs = await deployment.pool.query("select from media where kind = 'result'");
    expect(outputs.rowCount).toBe(1);
    await deployment.checkLedger();
  });
}

test('SIGTERM under load loses no request and answers waiting clients', async ({ deploy }) => {
  const deployment = await deploy();
  const customer = await deployment.open();
  const accepted = await Promise.all(Array.from({ length: 12 }, () => customer.submit()));
  const [last] = accepted.toReversed();
  const waiting = customer.status(last!.request_id, '?wait=60');
  // the listeners are the worker and, once a client waits, the web process
  const listeners = `select from pg_stat_activity where query = 'listen "pomona_final"'`;
  await expect.poll(async () => (await deployment.pool.query(listeners)).rowCount).toBe(2);

  const begun = Date.now();
  await deployment.starter.stop();
  expect(await deployment.starter.ended).toBe(0);
  expect(Date.now() - begun).toBeLessThan(30_000);
  expect((await waiting).request_id).toBe(last!.request_id);

  await deployment.restart();
  const finals = await Promise.all(accepted.map(request => customer.finish(request)));
  for (const { status } of finals) expect(status).toBe('completed');
  await expectSettled(deployment, [customer], finals);
});

test('a process that is stopped first saves when keys were last used', async ({ deploy }) => {
  const deployment = await deploy({ WORKER: 'off' });
  const customer = await deployment.open();
  await customer.api.get('/v1/account');
  await deployment.starter.stop();
  await deployment.restart();
  const { rows } = await deployment.pool.query('select last_used_at from api_keys where id = $1', [customer.keyId]);
  expect(rows[0].last_used_at).not.toBeNull();
});
