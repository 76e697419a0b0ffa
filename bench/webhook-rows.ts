import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openReceiver } from '#lib/webhooks/webhook-test-server';
import { call } from './measure.ts';
import { auth, type Row } from './rows.ts';
import type { Stage, Target } from './stage.ts';

const ENDPOINTS = 20;
const EACH = 5;
/** Messages that a dead endpoint has waiting; it takes them and never answers. */
const UNANSWERED = 40;

/** The 95th percentile, from the asking for a message to its arrival, at twenty endpoints: beside a dead one, and without it. */
export async function webhookRow(stage: Stage, rounds: number): Promise<Row> {
  const target = await stage.startTarget(
    'bench_webhooks',
    { WORKER: 'on', ALLOWED_PRIVATE_HOSTS: 'localhost', LIMIT_WEBHOOK_SENDS: '100000' },
    'start.ts',
  );
  const receiver = await openReceiver();
  const arrived = new Map<string, number>();
  const hanging: (() => void)[] = [];
  const add = (key: string, path: string) => {
    receiver.answers[path] = answer => {
      arrived.set(receiver.received.at(-1)!.id, performance.now());
      answer.writeHead(204).end();
    };
    return addWebhook(target, key, `${receiver.url}${path}`);
  };
  const keys = target.keys.slice(0, ENDPOINTS);
  const live = await Promise.all(keys.map((key, index) => add(key, `/live-${index}`).then(id => ({ key, id }))));
  const dead = { key: target.keys[ENDPOINTS]!, id: await add(target.keys[ENDPOINTS]!, '/dead') };
  const speak = receiver.answers['/dead']!;

  const round = async () => {
    const sent: { id: string; at: number }[] = [];
    for (let turn = 0; turn < EACH; turn++)
      await Promise.all(live.map(async to => sent.push({ at: performance.now(), id: await sendTest(target, to) })));
    while (!sent.every(({ id }) => arrived.has(id))) await pause(5);
    return percentile(sent.map(({ id, at }) => arrived.get(id)! - at));
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  await round();
  for (let turn = 0; turn < rounds; turn++) {
    theirs.push(await round());
    receiver.answers['/dead'] = answer => void hanging.push(() => speak(answer));
    const before = receiver.received.length;
    const waiting = await Promise.all(Array.from({ length: UNANSWERED }, () => sendTest(target, dead)));
    await receiver.came(before + 1);
    ours.push(await round());
    receiver.answers['/dead'] = speak;
    for (const answer of hanging.splice(0)) answer();
    await receiver.came(before + ENDPOINTS * EACH + waiting.length);
  }
  target.child.kill('SIGTERM');
  await receiver.close();
  const what = 'p95 of 20 webhooks beside a dead one';
  return { what, against: 'without it', unit: 'ms', ours, theirs, bound: { atMost: 1.25 } };
}

async function addWebhook(target: Target, key: string, url: string): Promise<string> {
  const body = JSON.stringify({ url, description: randomUUID() });
  const text = await call(`${target.base}/v1/webhooks`, 201, { method: 'POST', headers: auth(key), body });
  return (JSON.parse(text) as { id: string }).id;
}

async function sendTest(target: Target, { key, id }: { key: string; id: string }): Promise<string> {
  const text = await call(`${target.base}/v1/webhooks/${id}/test`, 202, { method: 'POST', headers: auth(key) });
  return (JSON.parse(text) as { id: string }).id;
}

const percentile = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;
