import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ATTACKS, type Attacker } from './attack.ts';
import { call, closeAgents, medianOf } from './measure.ts';
import { signIn, submit } from './rows.ts';
import { setStage, type Target } from './stage.ts';

// Measures polls, submits and pages of one account while another account attacks, as a multiple of the time without an
// attack: 95th percentiles, as medians over rounds. The attacker stands for remote machines, so it has its own address
// and idle priority, but both sides still share the cores. The last figure shows the cost of that alone: the same
// attack on a bare server that runs beside Pomona and discards everything.
// BENCH_SECONDS lengthens each measurement, BENCH_ROUNDS sets their number, ATTACK selects a single attack.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** Time an attack runs before measuring starts, so that it has used up the bursts that limits allow. */
const BEFORE_MS = 1_000;

const ACTS = ['poll', 'submit', 'page'] as const;
type Times = Record<(typeof ACTS)[number], number>;

interface Victim {
  /** Performs each act once and returns the milliseconds each took. */
  act(turn: number): Promise<Times>;
}

async function openVictim(target: Target): Promise<Victim> {
  const { rows } = await target.pool.query<{ email: string }>('select email from accounts limit 1');
  const cookie = await signIn(target, rows[0]!.email);
  const polled = await submit(target, target.keys[1]!, randomUUID());
  const authorization = `Bearer ${target.keys[1]}`;
  const timed = async (work: Promise<unknown>) => {
    const begun = performance.now();
    await work;
    return performance.now() - begun;
  };
  return {
    act: async turn => ({
      poll: await timed(call(`${target.base}/v1/requests/${polled}/status`, 200, { headers: { authorization } })),
      submit: await timed(submit(target, target.keys[10 + (turn % (target.keys.length - 10))]!, randomUUID())),
      page: await timed(call(`${target.base}/account/api`, 200, { headers: { cookie } })),
    }),
  };
}

let turn = 0;

/** Returns the 95th percentile of each act. Cancels earlier requests first, so that no in-flight limit is reached. */
async function watch(target: Target, victim: Victim, attacker: Attacker): Promise<Times> {
  await target.pool.query(
    `update requests set status = 'cancelled', finished_at = now() where status = 'queued' and id <> $1`,
    [attacker.live],
  );
  const seen: Times[] = [];
  const end = performance.now() + SECONDS * 1000;
  while (performance.now() < end || seen.length < 20) seen.push(await victim.act(turn++));
  const p95 = (act: (typeof ACTS)[number]) =>
    seen.map(times => times[act]).toSorted((a, b) => a - b)[Math.floor(seen.length * 0.95)]!;
  return { poll: p95('poll'), submit: p95('submit'), page: p95('page') };
}

async function under<T>(name: string, attacker: Attacker, work: () => Promise<T>): Promise<T> {
  const child = fork(join(import.meta.dirname, 'attack.ts'), [name, JSON.stringify(attacker)]);
  await once(child, 'message');
  await pause(BEFORE_MS);
  const outcome = await work();
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  return outcome;
}

async function openAttacker(target: Target): Promise<Attacker> {
  const [rich, poor] = [target.keys[2]!, target.keys[3]!];
  await target.pool.query(`update accounts set balance = 0 where email = 'bench4@localhost'`);
  return { base: target.base, rich, poor, live: await submit(target, rich, randomUUID()) };
}

/** Returns the median over the rounds for each act. */
function middle(rounds: Times[]): Times {
  const of = (act: (typeof ACTS)[number]) => medianOf(rounds.map(times => times[act]));
  return { poll: of('poll'), submit: of('submit'), page: of('page') };
}

const ratio = (times: Times, quiet: Times, act: (typeof ACTS)[number]) => (times[act] / quiet[act]).toFixed(1);

const stage = await setStage();
try {
  const target = await stage.startTarget('attacked', { LIMIT_SOCKETS_PER_ADDRESS: '4000' });
  const bare = await stage.startScript('bare-discard.ts', {});
  const victim = await openVictim(target);
  const attacker = await openAttacker(target);
  const look = () => watch(target, victim, attacker);
  for (let warm = 0; warm < 50; warm++) await victim.act(turn++);
  for (const name of process.env.ATTACK ? [process.env.ATTACK] : Object.keys(ATTACKS)) {
    const measured: Record<'quiet' | 'attacked' | 'beside', Times[]> = { quiet: [], attacked: [], beside: [] };
    for (let round = 0; round < ROUNDS; round++) {
      measured.quiet.push(await look());
      measured.attacked.push(await under(name, attacker, look));
      measured.beside.push(await under(name, { ...attacker, base: bare.base }, look));
    }
    const [quiet, attacked, beside] = [middle(measured.quiet), middle(measured.attacked), middle(measured.beside)];
    const figures = ACTS.map(
      act =>
        `${act} ${quiet[act].toFixed(1)} → ${attacked[act].toFixed(1)} ms (${ratio(attacked, quiet, act)} ×, beside ${ratio(beside, quiet, act)} ×)`,
    );
    console.log(`${name.padEnd(40)} ${figures.join('   ')}`);
  }
} finally {
  await closeAgents();
  await stage.stop();
}
