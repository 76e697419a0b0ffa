import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '#preview-engine/random';
import { test as base } from '../api-context.ts';
import { clusterUrl, enterHouse, pomona, startWeb, type House } from '../house.ts';
import { freePort, run, type Env, type Process } from '../process.ts';

/** Every trial draws from it; set it to see a failed one again. */
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);
/** Trials of each race. */
export const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 5);

/** A deployment of the test's own, to be hurt. */
export interface Deployment extends House {
  env: Env;
  /** `npm start`: it looks after all others. */
  starter: Process;
  /** Starts it again where the last one was. */
  restart(): Promise<void>;
  /** One that ends with the test; on another machine, when its settings say so. */
  startWorker(other?: Env): Process;
  /** The web processes that said they were ready, in that order. */
  webPids(): number[];
  /** The last worker process that did. */
  workerPid(): number;
  postgresPid(): number;
  /** All invariants that SQL and the store can see. */
  checkLedger(): Promise<void>;
}

interface Fixtures {
  random: () => number;
  /** With the embedded database; supervised, like a worker when `WORKER` is on. */
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
    // the last one first: it may stand on those before it
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  },
});

export { expect } from '@playwright/test';

/** As root, the database runs under another id that has to pass. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-faults-'));
  chmodSync(folder, 0o711);
  return folder;
}

/** The embedded database of a deployment. */
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
