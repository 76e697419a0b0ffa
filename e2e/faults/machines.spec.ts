import { rmSync } from 'node:fs';
import { clusterUrl } from '../house.ts';
import { freePort, run } from '../process.ts';
import { expect, temporaryFolder, test } from './deployment.ts';
import { expectSettled, startLoad } from './load.ts';

// several machines on one database

let elsewhere: string;

test.beforeEach(() => (elsewhere = temporaryFolder()));
test.afterEach(() => rmSync(elsewhere, { recursive: true }));

test('a machine that shares only the database does not start, and says what to share', async ({ deploy }) => {
  const first = await deploy({ WORKER: 'off' });
  const env = { DATA_DIR: elsewhere, DATABASE_URL: clusterUrl(String(first.env.DATA_DIR)) };
  for (const program of [['worker.ts'], ['server.ts'], ['cli.ts', 'ledger', 'check', '--files']]) {
    const second = run(program, { ...env, PORT: String(await freePort()), WORKER: 'off' });
    expect(await second.ended, second.output()).toBe(1);
    await second.silent;
    expect(second.output()).toContain('another store of media and another secret key');
    expect(second.output()).toContain('STORAGE_URL');
    expect(second.output()).toContain('SECRET_KEY');
  }
});

test('machines that share database, store and key do each other’s work', async ({ deploy }) => {
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
