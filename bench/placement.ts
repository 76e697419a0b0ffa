import { PACE, place, type Standing, type Waiting } from '#lib/engines/placement';
import type { Server } from '#lib/engines/server';
import { createRandom } from '#preview-engine/random';

/** A fleet of servers and its load, in simulated time. */
interface Scenario {
  servers: number;
  /** Number of servers that are twice as fast. */
  fast: number;
  models: number;
  jobs: number;
  accounts: number;
  jobMs: number;
  /** Rate of incoming jobs, relative to what the fleet could make without ever loading a model. */
  pressure: number;
  /** Number of jobs that a server holds: one runs, the others wait behind it. */
  places: number;
}

interface Outcome {
  /** Simulated seconds until the last job was done. */
  seconds: number;
  /** Share of jobs for which a model had to be loaded. */
  loadShare: number;
  p50: number;
  p95: number;
  /** Share of server time that was idle while jobs waited. */
  idleShare: number;
  /** Longest wait of any account's first job. */
  worstFirst: number;
  /** Jobs placed per second of real time; null where `place` was not called. */
  placedPerSecond: number | null;
}

interface Job {
  id: string;
  line: string;
  account: number;
  at: number;
  turnAt: number;
}

type Scheduler = (
  servers: Server[],
  standing: Map<string, Standing>,
  waiting: Job[],
  now: number,
) => { id: string; server: string }[];

/** Milliseconds of real time spent in `place`. */
let spent = 0;

/** Creates a skewed mix of jobs: a few models and a few accounts have most of them. */
function makeJobs({ jobs, models, accounts, servers, fast, jobMs, pressure }: Scenario): Job[] {
  const random = createRandom(7);
  const skewed = (count: number) => Math.floor(count * random() ** 2.5);
  const everyMs = jobMs / (servers + fast) / pressure;
  const live = new Map<number, number>();
  let now = 0;
  return Array.from({ length: jobs }, (_, at): Job => {
    now += -Math.log(1 - random()) * everyMs;
    const account = skewed(accounts);
    const turn = live.get(account) ?? 0;
    live.set(account, (turn + 1) % 20);
    return { id: String(at), line: `m${skewed(models)}`, account, at: now, turnAt: now + turn * 600_000 };
  });
}

const HEADS = 32;

/** Scheduler of the worker: passes the first jobs of every line to `place`. */
const ours =
  (scenario: Scenario): Scheduler =>
  (servers, standing, waiting, now) => {
    const byLine = Map.groupBy(waiting, ({ line }) => line);
    const heads: Waiting[] = [...byLine.values()].flatMap(line =>
      line
        .toSorted((a, b) => a.turnAt - b.turnAt)
        .slice(0, HEADS)
        .map(({ id, line, turnAt }) => ({ id, line, turnAt: new Date(turnAt), heldBy: null })),
    );
    const begun = performance.now();
    const placed = place(servers, standing, heads, now, { ...PACE, jobMs: () => scenario.jobMs });
    spent += performance.now() - begun;
    return placed;
  };

/** Scheduler that gives every job to the next server in turn immediately, whichever model the server has loaded. */
function roundRobin(): Scheduler {
  let next = 0;
  return (servers, _standing, waiting) =>
    waiting.map(({ id }) => ({ id, server: servers[next++ % servers.length]!.id }));
}

interface Machine {
  speed: number;
  /** Jobs of the server; the first one runs. */
  queue: Job[];
  loaded: string | null;
  loadedAt: number;
  freeAt: number;
}

function simulate(scenario: Scenario, schedule: Scheduler): Outcome {
  const { servers: count, fast, models, jobMs, places } = scenario;
  const lines = Array.from({ length: models }, (_, at) => `m${at}`);
  const servers = Array.from({ length: count }, (_, at): Server => ({
    id: `s${at}`,
    engine: 'fleet',
    places,
    shared: true,
    lines,
    loads: true,
    rank: 0,
    use: () => Promise.reject(new Error('simulated')),
  }));
  const machines = new Map(
    servers.map(({ id }, at): [string, Machine] => [
      id,
      { speed: at < fast ? 2 : 1, queue: [], loaded: null, loadedAt: 0, freeAt: Infinity },
    ]),
  );
  const coming = makeJobs(scenario);
  const waits: number[] = [];
  const firsts = new Map<number, number>();
  let waiting: Job[] = [];
  let [now, loads, idle, busyTime, done] = [0, 0, 0, 0, 0];
  spent = 0;

  const start = (machine: Machine) => {
    const job = machine.queue[0]!;
    const loading = machine.loaded === job.line ? 0 : PACE.loadMs;
    if (loading) loads += 1;
    machine.loaded = job.line;
    machine.freeAt = now + loading + jobMs / machine.speed;
    waits.push(now - job.at);
    if (!firsts.has(job.account)) firsts.set(job.account, now - job.at);
  };

  const dispatch = () => {
    const standing = new Map(
      [...machines].map(([id, { queue, loaded, loadedAt }]): [string, Standing] => [
        id,
        { busy: queue.length, longestMs: 0, loaded: queue.at(-1)?.line ?? loaded, loadedAt },
      ]),
    );
    const picks = schedule(servers, standing, waiting, now);
    const taken = new Map(picks.map(({ id, server }) => [id, server]));
    for (const job of waiting) {
      const machine = machines.get(taken.get(job.id) ?? '');
      if (!machine) continue;
      if ((machine.queue.at(-1)?.line ?? machine.loaded) !== job.line) machine.loadedAt = now;
      machine.queue.push(job);
      if (machine.queue.length === 1) start(machine);
    }
    waiting = waiting.filter(({ id }) => !taken.has(id));
  };

  while (done < scenario.jobs) {
    const next = Math.min(coming[0]?.at ?? Infinity, ...[...machines.values()].map(({ freeAt }) => freeAt));
    const free = [...machines.values()].filter(({ queue }) => queue.length === 0).length;
    if (waiting.length) {
      idle += free * (next - now);
      busyTime += count * (next - now);
    }
    now = next;
    if (coming[0]?.at === next) waiting.push(coming.shift()!);
    for (const machine of machines.values()) {
      if (machine.freeAt > now) continue;
      machine.queue.shift();
      done += 1;
      machine.freeAt = Infinity;
      if (machine.queue.length) start(machine);
    }
    dispatch();
  }
  waits.sort((a, b) => a - b);
  const at = (share: number) => (waits[Math.floor(waits.length * share)] ?? 0) / 1000;
  return {
    seconds: now / 1000,
    loadShare: loads / scenario.jobs,
    p50: at(0.5),
    p95: at(0.95),
    idleShare: busyTime ? idle / busyTime : 0,
    worstFirst: Math.max(...firsts.values()) / 1000,
    placedPerSecond: spent ? scenario.jobs / (spent / 1000) : null,
  };
}

/** Lower bound in seconds for any schedule: every server is always busy, and each model is loaded once. */
const bestPossible = ({ servers, fast, models, jobs, jobMs }: Scenario): number =>
  (jobs * jobMs + models * PACE.loadMs) / (servers + fast) / 1000;

const SMALL: Scenario = {
  servers: 4,
  fast: 2,
  models: 6,
  jobs: 2_000,
  accounts: 30,
  jobMs: 5_000,
  pressure: 0.95,
  places: 2,
};

const LARGE: Scenario = { ...SMALL, servers: 300, fast: 150, models: 20, jobs: 4_000, accounts: 500 };

/** Returns figures of simulated fleets, with the placement of the worker and with round-robin. */
export function placementFigures(): string[] {
  return [SMALL, LARGE].flatMap(scenario => {
    const rows: [string, Outcome][] = [
      ['placement', simulate(scenario, ours(scenario))],
      ['round-robin', simulate(scenario, roundRobin())],
    ];
    const what = `${scenario.servers} servers, ${scenario.models} models, ${scenario.jobs} jobs`;
    return [
      `${what}: at best ${bestPossible(scenario).toFixed(0)} s`,
      ...rows.map(
        ([name, { seconds, loadShare, p50, p95, idleShare, worstFirst, placedPerSecond }]) =>
          `  ${name.padEnd(12)} ${seconds.toFixed(0)} s, wait p50 ${p50.toFixed(1)} s, p95 ${p95.toFixed(1)} s, first of an account at most ${worstFirst.toFixed(1)} s, ` +
          `${(loadShare * 100).toFixed(1)} % loaded a model, ${(idleShare * 100).toFixed(1)} % idle while jobs waited` +
          (placedPerSecond === null ? '' : `, ${placedPerSecond.toFixed(0)} placed/s`),
      ),
    ];
  });
}
