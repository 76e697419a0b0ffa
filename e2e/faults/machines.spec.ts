import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { writeArchitectureState } from '#lib/catalog/architecture-states';
import * as schema from '#lib/db/schema';
import { clusterUrl, createDatabase, pomona, startWeb } from '../house.ts';
import { openMember } from '../member.ts';
import { freePort, run } from '../process.ts';
import { expect, temporaryFolder, test } from './deployment.ts';
import { expectSettled, startLoad } from './load.ts';

// several processes and machines on one database

const AWAY = 'http://127.0.0.1:9';
let elsewhere: string;

test.beforeEach(() => (elsewhere = temporaryFolder()));
test.afterEach(() => rmSync(elsewhere, { recursive: true }));

test('a machine that shares only the database does not start, and names the settings to share', async ({ deploy }) => {
  const first = await deploy({ WORKER: 'off' });
  const env = { DATA_DIR: elsewhere, DATABASE_URL: clusterUrl(String(first.env.DATA_DIR)) };
  for (const program of [['worker.ts'], ['server.ts'], ['cli.ts', 'ledger', 'check', '--files']]) {
    const second = run(program, { ...env, PORT: String(await freePort()), WORKER: 'off' });
    expect(await second.ended, second.output()).toBe(1);
    await second.silent;
    expect(second.output()).toContain('a different store of media and a different secret key');
    expect(second.output()).toContain('STORAGE_URL');
    expect(second.output()).toContain('SECRET_KEY');
  }
});

test('a deployment with a new database does not start on the media of another one, and keeps them', async ({
  deploy,
}) => {
  const first = await deploy({ WORKER: 'off' });
  const file = join(elsewhere, 'result', `${'0a'.repeat(16)}.png`);
  mkdirSync(dirname(file));
  writeFileSync(file, 'a picture');
  const env = {
    DATA_DIR: temporaryFolder(),
    STORAGE_URL: `file://${elsewhere}`,
    DATABASE_URL: await createDatabase(clusterUrl(String(first.env.DATA_DIR))),
  };
  const start = async (program: string) => {
    const second = run([program], { ...env, PORT: String(await freePort()) });
    expect(await second.ended, second.output()).toBe(1);
    await second.silent;
    expect(second.output()).toContain('does not know the media');
  };
  await Promise.all(['worker.ts', 'start.ts'].map(start));
  expect(existsSync(file)).toBe(true);
  rmSync(env.DATA_DIR, { recursive: true });
});

test('another machine applies the changes of one machine, and both share the counts of rate limits', async ({
  deploy,
}) => {
  const store = temporaryFolder();
  const shared = {
    STORAGE_URL: `file://${store}`,
    SECRET_KEY: 'shared by the machines of this test',
    LIMIT_BAD_KEYS_PER_ADDRESS: '4',
    WORKER: 'off',
  };
  const here = await deploy(shared);
  const there = await startWeb('server', {
    ...shared,
    DATA_DIR: elsewhere,
    DATABASE_URL: clusterUrl(String(here.env.DATA_DIR)),
  });
  const ask = async (machine: { baseURL: string }, path: string, key: string) =>
    fetch(machine.baseURL + path, { headers: { authorization: `Bearer ${key}` } });
  const customer = await here.open();
  const { key, keyId } = await here.addKey(customer);

  expect((await ask(there, '/v1/account', key)).status).toBe(200);
  await pomona(['key', 'revoke', '--id', keyId], here.env);
  expect((await ask(there, '/v1/account', key)).status).toBe(401);

  for (const machine of [here, there, here]) expect((await ask(machine, '/v1/account', 'wrong')).status).toBe(401);
  for (const machine of [there, here]) expect((await ask(machine, '/v1/account', 'wrong')).status).toBe(429);
  const reached = 'pomona_limit_reached_total{limit="LIMIT_BAD_KEYS_PER_ADDRESS"} 2';
  const scraped: string[] = [];
  for (const machine of [here, there]) scraped.push(await (await fetch(`${machine.baseURL}/metrics`)).text());
  expect(scraped[1]).toContain(reached);

  await drizzle(here.pool, { schema }).transaction(tx => writeArchitectureState('mango', 'retired', tx));
  await expect
    .poll(async () => (await (await ask(there, '/v1/architectures', customer.key)).text()).includes('"mango"'))
    .toBe(false);

  const engines = JSON.stringify({ engines: [] });
  writeFileSync(join(String(here.env.DATA_DIR), 'engines.json'), engines);
  await expect(() => expect(readFileSync(join(elsewhere, 'engines.json'), 'utf8')).toBe(engines)).toPass();
  await there.stop();
  rmSync(store, { recursive: true });
});

test('a machine that cannot write a changed document does not revert it, and writes it when it can', async ({
  deploy,
}) => {
  const store = temporaryFolder();
  const shared = { STORAGE_URL: `file://${store}`, SECRET_KEY: 'shared by the machines of this test', WORKER: 'off' };
  const here = await deploy(shared);
  const [file, copy] = [String(here.env.DATA_DIR), elsewhere].map(folder => join(folder, 'engines.json'));
  // a folder in its place prevents writing the file, as a full disk does
  mkdirSync(copy!);
  const there = here.startWorker({ DATA_DIR: elsewhere, DATABASE_URL: clusterUrl(String(here.env.DATA_DIR)) });
  await expect.poll(() => there.output(), { timeout: 30_000 }).toContain('worker ready');
  const engines = JSON.stringify({ engines: [{ id: 'away', type: 'comfyui', servers: [{ id: 'a', url: AWAY }] }] });
  writeFileSync(file!, engines);
  await expect.poll(() => there.output(), { timeout: 30_000 }).toContain('document not written to this machine');
  rmdirSync(copy!);
  await expect(() => expect(readFileSync(copy!, 'utf8')).toBe(engines)).toPass({ timeout: 30_000 });
  expect(readFileSync(file!, 'utf8')).toBe(engines);
  await there.stop();
  rmSync(store, { recursive: true });
});

test('an architecture removed while a machine was off stays removed when the machine returns', async ({ deploy }) => {
  const store = temporaryFolder();
  const shared = { STORAGE_URL: `file://${store}`, SECRET_KEY: 'shared by the machines of this test', WORKER: 'off' };
  const here = await deploy(shared);
  const { api } = await here.open();
  const isOffered = async () => (await (await api.get('/v1/architectures')).text()).includes('"harp"');
  const [file, copy] = [String(here.env.DATA_DIR), elsewhere].map(folder =>
    join(folder, 'catalog/architectures/harp.json'),
  );
  const startThere = async () => {
    const there = here.startWorker({ DATA_DIR: elsewhere, DATABASE_URL: clusterUrl(String(here.env.DATA_DIR)) });
    await expect.poll(() => there.output(), { timeout: 30_000 }).toContain('worker ready');
    return there;
  };
  const shipped = JSON.parse(readFileSync('catalog/architectures/seed_audio.json', 'utf8')) as object;
  mkdirSync(dirname(file!), { recursive: true });
  writeFileSync(file!, JSON.stringify({ ...shipped, id: 'harp' }));
  await expect.poll(isOffered).toBe(true);
  const there = await startThere();
  await expect.poll(() => existsSync(copy!)).toBe(true);
  await there.stop();
  rmSync(file!);
  await expect.poll(isOffered).toBe(false);

  const back = await startThere();
  await expect.poll(() => existsSync(copy!)).toBe(false);
  expect(await isOffered()).toBe(false);
  await back.stop();
  rmSync(store, { recursive: true });
});

test('a machine whose clock is an hour behind logs that, and its password reset links are valid', async ({
  deploy,
}) => {
  const here = await deploy({ WORKER: 'off' });
  const late = `const Here = Date; const now = () => Here.now() - 3_600_000;
    class Late extends Here { constructor(...args) { super(...(args.length ? args : [now()])); } static now = now; }
    globalThis.Date = Object.assign(Late, { UTC: Here.UTC, parse: Here.parse });`;
  const there = await startWeb('server', {
    ...here.env,
    PORT: String(await freePort()),
    BASE_URL: here.baseURL,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(late)}`,
  });
  expect(there.output()).toContain('the clock of this machine is 3600 s behind that of the database');
  const operator = await openMember(here, { operator: true });
  const made = await fetch(`${there.baseURL}/api/admin/accounts/${operator.accountId}/password-reset`, {
    method: 'POST',
    headers: { cookie: operator.cookie, 'sec-fetch-site': 'same-origin' },
  });
  const { url } = (await made.json()) as { url: string };
  const token = new URL(url).searchParams.get('token');
  const reset = await operator.page.put('/api/password-reset', { data: { token, password: 'another orchard' } });
  expect(reset.status(), await reset.text()).toBe(200);
  await there.stop();
});

test('restarting every process in turn under load causes no error and loses no request', async ({ deploy }) => {
  const deployment = await deploy({ WEB_CONCURRENCY: '2' });
  const customers = await Promise.all([deployment.open(), deployment.open()]);
  await expect.poll(() => deployment.webPids().length).toBe(2);
  const load = startLoad(customers, 40);
  for (const [turn, pid] of deployment.webPids().entries()) {
    await load.finished(turn * 6 + 1);
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => deployment.webPids().length, { timeout: 30_000 }).toBe(3 + turn);
  }
  process.kill(deployment.workerPid(), 'SIGTERM');
  const finals = await load.done;
  expect(new Set(finals.map(({ status }) => status))).toEqual(new Set(['completed']));
  // clients retry after errors, but the log would show them
  expect(deployment.starter.output()).not.toContain('request failed');
  await expectSettled(deployment, customers, finals);
});

test('a worker completes the requests of another machine that shares its database, store and key', async ({
  deploy,
}) => {
  const store = temporaryFolder();
  const shared = { STORAGE_URL: `file://${store}`, SECRET_KEY: 'shared by the machines of this test' };
  const web = await deploy({ ...shared, WORKER: 'off' });
  const customers = [await web.open()];
  const load = startLoad(customers, 6);
  const worker = run(['worker.ts'], {
    ...shared,
    DATA_DIR: elsewhere,
    DATABASE_URL: clusterUrl(String(web.env.DATA_DIR)),
  });
  const finals = await load.done;
  await worker.stop();
  for (const { result } of finals) expect((await customers[0]!.api.get(result!.url)).status()).toBe(200);
  await expectSettled(web, customers, finals);
  rmSync(store, { recursive: true });
});
