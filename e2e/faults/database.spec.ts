import { refusal } from '../customer.ts';
import { clusterUrl, createDatabase } from '../house.ts';
import { expect, test, type Deployment } from './deployment.ts';
import { expectSettled, startLoad } from './load.ts';

// a database that drops connections or is down

test.describe.configure({ timeout: 240_000 });

const ROUNDS = 30;
/** Rounds after which the database server itself is restarted. */
const RESTARTS = [10, 20];

test('all processes survive thirty terminations of connections and two restarts of Postgres under load', async ({
  deploy,
}) => {
  const deployment = await deploy();
  const customers = await Promise.all([deployment.open(), deployment.open()]);
  const pids = [...deployment.webPids(), deployment.workerPid()];
  const load = startLoad(customers, ROUNDS + 8);
  for (let round = 1; round <= ROUNDS; round++) {
    await load.finished(round);
    if (RESTARTS.includes(round)) process.kill(deployment.postgresPid(), 'SIGINT');
    await terminateAll(deployment);
  }
  await expectSettled(deployment, customers, await load.done);
  expect([...deployment.webPids(), deployment.workerPid()]).toEqual(pids);
  const { rows } = await deployment.pool.query('select sum(attempts)::int as attempts from requests');
  expect(rows).toEqual([{ attempts: 0 }]);
});

/** Terminates all connections except its own, even those inside a transaction. */
async function terminateAll({ pool }: Deployment): Promise<void> {
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  // the connection of this query may have been closed as well
  await expect(() => pool.query(terminate)).toPass({ timeout: 30_000 });
}

test('while an external Postgres is down, requests get 500 within 5 s and /healthz 503; later all recovers', async ({
  deploy,
}) => {
  // the database of one deployment serves as the external database of the other
  const host = await deploy({ WORKER: 'off' });
  const deployment = await deploy({ DATABASE_URL: await createDatabase(clusterUrl(String(host.env.DATA_DIR))) });
  const customer = await deployment.open();
  const before = await customer.generate();

  await host.starter.stop();
  const soon = { timeout: 5_000 };
  await refusal(await customer.api.get('/v1/account', soon), 500, 'internal_error');
  await refusal(await customer.api.get('/v1/requests', soon), 500, 'internal_error');
  const status = `/v1/requests/${before.request_id}/status`;
  await refusal(await customer.api.get(status, soon), 500, 'internal_error');
  await refusal(await customer.api.get(`${status}?wait=60`, soon), 500, 'internal_error');
  await refusal(await customer.post(), 500, 'internal_error');
  const health = await customer.api.get('/healthz', soon);
  expect((await customer.api.get('/healthz/web', soon)).status()).toBe(503);
  expect(health.status()).toBe(503);
  expect(await health.json()).toMatchObject({ ok: false, database: { ok: false } });

  await host.restart();
  await expect.poll(async () => (await customer.api.get('/healthz')).status(), { timeout: 60_000 }).toBe(200);
  expect(await customer.status(before.request_id)).toEqual(before);
  await customer.generate();
  await deployment.checkLedger();
});
