import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { openReceiver } from '#lib/webhooks/webhook-test-server';
import { startRemote } from './generation-rows.ts';
import { call } from './measure.ts';
import { auth, type Row } from './rows.ts';
import type { Stage, Target } from './stage.ts';

const ENDPOINTS = 20;
const EACH = 5;
/** Number of messages sent to the dead endpoint, which accepts connections but never answers. */
const UNANSWERED = 40;
/** Delay of the engine, so long that no request ends by itself. */
const NEVER_MS = 3_600_000;

/**
 * Compares the 95th percentile of the time from the end of a request to its webhook message, at twenty endpoints, with
 * and without a dead endpoint beside them.
 */
export async function webhookRow(stage: Stage, rounds: number): Promise<Row> {
  const target = await startRemote(stage, 'bench_webhooks', NEVER_MS, { ALLOWED_PRIVATE_HOSTS: 'localhost' });
  const receiver = await openReceiver();
  const arrived = new Map<string, number>();
  const [dead = '', ...live] = target.keys.slice(0, ENDPOINTS + 1);
  for (const [index, key] of live.entries()) {
    const path = `/live-${index}`;
    receiver.answers[path] = answer => {
      const { data } = JSON.parse(receiver.received.at(-1)!.body) as { data: { request_id: string } };
      arrived.set(data.request_id, performance.now());
      answer.writeHead(204).end();
    };
    await addWebhook(target, key, `${receiver.url}${path}`);
  }
  await addWebhook(target, dead, `${receiver.url}/dead`);

  const round = async () => {
    const ended: { id: string; at: number }[] = [];
    for (let turn = 0; turn < EACH; turn++)
      await Promise.all(live.map(async key => ended.push(await endOne(target, key))));
    while (!ended.every(({ id }) => arrived.has(id))) await pause(5);
    return percentile(ended.map(({ id, at }) => arrived.get(id)! - at));
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  await round();
  for (let turn = 0; turn < rounds; turn++) {
    theirs.push(await round());
    const hanging: ServerResponse[] = [];
    receiver.answers['/dead'] = answer => void hanging.push(answer);
    const before = receiver.received.length;
    for (let sent = 0; sent < UNANSWERED; sent++) await endOne(target, dead);
    await receiver.came(before + 1);
    ours.push(await round());
    delete receiver.answers['/dead'];
    for (const answer of hanging) answer.writeHead(204).end();
    await receiver.came(before + ENDPOINTS * EACH + UNANSWERED);
  }
  target.child.kill('SIGTERM');
  await receiver.close();
  const what = 'p95 of 20 webhooks beside a dead one';
  return { what, against: 'without it', unit: 'ms', ours, theirs, bound: { atMost: 1.25 } };
}

const addWebhook = (target: Target, key: string, url: string) =>
  call(`${target.base}/v1/webhooks`, 201, { method: 'POST', headers: auth(key), body: JSON.stringify({ url }) });

/** Submits and cancels a request; returns its id and the time of its end. */
async function endOne(target: Target, key: string): Promise<{ id: string; at: number }> {
  const post = { method: 'POST', headers: auth(key) } as const;
  const body = JSON.stringify({ prompt: 'dusk' });
  const accepted = await call(`${target.base}/v1/z_image/generate`, 202, { ...post, body });
  const { request_id: id } = JSON.parse(accepted) as { request_id: string };
  const at = performance.now();
  await call(`${target.base}/v1/requests/${id}/cancel`, 200, post);
  return { id, at };
}

const percentile = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN;
