import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from './api-context.ts';
import type { Customer } from './customer.ts';
import {
  createDatabase,
  enterHouse,
  mainDatabase,
  pomona,
  startWeb,
  STARTING_MS,
  type House,
  type Through,
} from './house.ts';
import { ROOT, run, untilAnswers, type Env, type Process } from './process.ts';

/** A deployment without workers, whose requests stay live until the test ends them. */
export interface IdleHouse extends House {
  /** Registers fake workers with this many slots, which never take a request. */
  pretendSlots(slots: number): Promise<void>;
  /** Starts a real worker, which ends with the test. */
  startWorker(env?: Env): Process;
  /** Starts another web process, which ends with the test. */
  startWeb(env?: Env): Promise<Process & { baseURL: string }>;
  stopStarted(): Promise<void>;
  /** Returns the output of its processes, the live requests and the running queries, to report with a failed test. */
  standing(): Promise<string>;
}

/** Architecture that is retired in the idle house. */
export const RETIRED = 'kiwi';
/** Architecture that the idle house offers only as opt-in. */
export const OPT_IN = 'guava';

interface TestFixtures {
  /** A new account with 10,000 gems in the deployment of the Playwright project. */
  customer: Customer;
  /** Idle house, reset before each test: no live requests, no workers, no rate limits used. */
  idle: IdleHouse;
}

interface WorkerFixtures {
  /** Deployment of the Playwright project, with a worker. */
  house: House;
  idleHouse: IdleHouse;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  customer: async ({ house }, use) => use(await house.open()),

  idle: async ({ idleHouse }, use, info) => {
    await idleHouse.pool.query(
      `update requests set status = 'cancelled', worker = null, finished_at = now() where status in ('queued', 'in_progress')`,
    );
    // a worker started by the test would continue these runs
    await idleHouse.pool.query(`update recipe_runs set status = 'cancelled' where status = 'running'`);
    for (const table of ['workers', 'rate_limits']) await idleHouse.pool.query(`delete from ${table}`);
    await use(idleHouse);
    if (info.status !== info.expectedStatus)
      await info.attach('what stood still', { body: await idleHouse.standing() });
    await idleHouse.stopStarted();
  },

  house: [
    async ({}, use, { project }) => {
      const house = enterHouse(String(project.use.baseURL), mainDatabase());
      await use(house);
      await house.close();
    },
    { scope: 'worker' },
  ],

  idleHouse: [
    async ({}, use, { project }) => {
      const catalog = catalogOfIdle();
      const databaseUrl = await createDatabase();
      // a separate folder, since files that operators write into DATA_DIR belong to one deployment
      const folder = mkdtempSync(join(tmpdir(), 'pomona-idle-'));
      const env = { DATA_DIR: folder, DATABASE_URL: databaseUrl, CATALOG_DIR: catalog };
      // plain `next start` expects a migrated database
      await pomona(['account', 'list'], env);
      const through: Through = project.name === 'api-next' ? 'next' : 'server';
      // accepts URLs of the tests' servers on this machine; each worker has its own setting for fetching from them
      const web = await startWeb(through, { ...env, ALLOWED_PRIVATE_HOSTS: 'localhost' });
      await untilAnswers(`${web.baseURL}/v1/account`, web);
      const house = enterHouse(web.baseURL, databaseUrl);
      const started: Process[] = [];
      await use({
        ...house,
        async pretendSlots(slots) {
          await house.pool.query('delete from workers');
          await house.pool.query(
            `with pretended as (
              insert into workers (id, host, pid, seen_at) values (gen_random_uuid(), 'nowhere', 1, now() + interval '1 hour') returning id
            ) insert into servers (id, engine, worker, places) select 'preview/' || id, 'preview', id, $1 from pretended`,
            [slots],
          );
        },
        startWorker(more = {}) {
          const worker = run(['worker.ts'], { ...env, BASE_URL: web.baseURL, DATABASE_POOL: '2', ...more });
          started.push(worker);
          return worker;
        },
        async startWeb(more = {}) {
          base.info().setTimeout(base.info().timeout + STARTING_MS);
          const another = await startWeb(through, { ...env, ...more });
          started.push(another);
          return another;
        },
        async standing() {
          const rows = async (query: string) => JSON.stringify((await house.pool.query(query)).rows, null, 1);
          return [
            ...started.map(({ pid, output }) => `${pid}:\n${output()}`),
            await rows(`select * from requests where finished_at is null`),
            await rows(`select application_name, state, wait_event, now() - xact_start as since, left(query, 200) as query
              from pg_stat_activity where datname = current_database()`),
          ].join('\n\n');
        },
        async stopStarted() {
          // killed, since a worker that drains would finish the requests that the test left live
          await Promise.all(started.splice(0).map(process => process.kill()));
        },
      });
      await house.close();
      await web.stop();
      for (const made of [catalog, folder]) rmSync(made, { recursive: true });
    },
    { scope: 'worker', timeout: STARTING_MS },
  ],
});

export { expect } from '@playwright/test';

function catalogOfIdle(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-catalog-'));
  cpSync(join(ROOT, 'catalog'), folder, { recursive: true });
  const changes = { [RETIRED]: { state: 'retired' }, [OPT_IN]: { opt_in: true } };
  for (const [id, change] of Object.entries(changes)) {
    const file = join(folder, 'architectures', `${id}.json`);
    const architecture = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...architecture, ...change }));
  }
  return folder;
}
