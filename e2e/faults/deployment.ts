import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '#preview-engine/random';
import { test as base } from '../api-context.ts';
import { clusterUrl, enterHouse, pomona, startWeb, type House } from '../house.ts';
import { freePort, run, type Env, type Process } from '../process.ts';

/** Seed of the random numbers of every trial; set FAULT_SEED to repeat a failed trial. */
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
/** Number of trials of each race. */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 5);

/** A deployment that belongs to one test, which may break it. */
export interface Deployment extends House {
  env: Env;
  /** The process of `npm start`, which supervises the others. */
  starter: Process;
  /** Starts the deployment again on the same port and data. */
  restart(): Promise<void>;
  /** Starts a worker that ends with the test; `other` may give it the settings of another machine. */
  startWorker(other?: Env): Process;
  /** Ids of the web processes that reported ready, in that order. */
  webPids(): number[];
  /** Id of the last worker process that reported ready. */
  workerPid(): number;
  postgresPid(): number;
  /** Expects all invariants to hold, those of the stored files included. */
  checkLedger(): Promise<void>;
}

interface Fixtures {
  random: () => number;
  /** Starts a deployment with the supervised embedded database, and a supervised worker when `WORKER` is on. */
  deploy: (env?: Env) => Promise<Deployment>;
}

export const test = base.extend<Fixtures>({
  random: async ({}, use, { title }) => {
    console.log(`${title}: FAULT_SEED=${SEED}`);
    await use(createRandom(SEED));
  },

  deploy: async ({}, use) => {
    const cleanUps: (() => Promise<unknown>)[] = [];
    await use(async (env = {}) => {
      const folder = temporaryFolder();
      const { deployment, close } = await startDeployment({ DATA_DIR: folder, DATABASE_URL: '', ...env });
      cleanUps.push(async () => {
        await close();
        rmSync(folder, { recursive: true, force: true });
      });
      return deployment;
    });
    // in reverse order: a deployment may depend on earlier ones
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  },
});

export { expect } from '@playwright/test';

/** Creates a temporary folder that Postgres, which runs as another user under root, can traverse. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-faults-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** Returns the process id of a deployment's embedded database. */
export const postgresPidOf = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);

export async function startDeployment(given: Env): Promise<{ deployment: Deployment; close(): Promise<void> }> {
  const env: Env = { WORKER: 'on', LOG_LEVEL: 'info', PORT: String(await freePort()), ...given };
  const dataDir = String(env.DATA_DIR);
  const starter = await startWeb('server', env);
  const house = enterHouse(starter.baseURL, env.DATABASE_URL || clusterUrl(dataDir));
  const workers: Process[] = [];
  const outputs = [starter.output];
  const readyPids = (what: string) => {
    const lines = outputs.flatMap(read => read().split('\n')).filter(line => line.includes(`"msg":"${what} ready"`));
    return lines.map(line => (JSON.parse(line) as { pid: number }).pid);
  };
  const deployment: Deployment = {
    ...house,
    env,
    starter,
    async restart() {
      deployment.starter = await startWeb('server', env);
      outputs.push(deployment.starter.output);
    },
    startWorker(other = {}) {
      const worker = run(['worker.ts'], { ...env, WORKER: 'off', ...other });
      workers.push(worker);
      return worker;
    },
    webPids: () => readyPids('web'),
    workerPid: () => readyPids('worker').at(-1) ?? Number.NaN,
    postgresPid: () => postgresPidOf(dataDir),
    async checkLedger() {
      await pomona(['ledger', 'check', '--files'], env);
    },
  };
  while (env.WORKER === 'on' && !deployment.workerPid()) await pause(50);
  return {
    deployment,
    async close() {
      await Promise.all(workers.map(worker => worker.kill()));
      await house.close();
      await deployment.starter.stop();
    },
  };
}
