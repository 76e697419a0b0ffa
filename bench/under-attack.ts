import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ATTACKS, type Attacker } from './attack.ts';
import { call, closeAgents, medianOf } from './measure.ts';
import { signIn, submit } from './rows.ts';
import { setStage, type Target } from './stage.ts';

// How long polls, submits and pages of one account take while another one attacks, as a multiple of what they take when all is
// quiet: 95th percentiles, medians of rounds in which each measure comes once. The attacker has an address of its own and only the
// processor time that nobody else wants, for it stands for machines elsewhere; still both sides share the cores. What that alone
// costs is told by the same attack on a bare server beside ours, which throws away all that comes: the last figure.
// BENCH_SECONDS lengthens each measure, BENCH_ROUNDS makes more of them; ATTACK names one attack alone.
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
/** An attack is on for that long before it is measured: what it may take at once it has taken by then. */
const BEFORE_MS = 1_000;

const ACTS = ['poll', 'submit', 'page'] as const;
type Times = Record<(typeof ACTS)[number], number>;

interface Victim {
  /** One of each act; milliseconds. */
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

/** The 95th percentile of each act; what was submitted before is ended, so that no limit in flight is met. */
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

/** The median of what the rounds measured. */
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
