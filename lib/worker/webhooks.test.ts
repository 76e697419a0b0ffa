import { eq } from 'drizzle-orm';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createAccount } from '#lib/accounts/accounts';
import { COMMAND_LINE } from '#lib/accounts/audit';
import type { Caller } from '#lib/accounts/callers';
import { changeAccount } from '#lib/accounts/govern';
import { readBalance } from '#lib/accounts/ledger';
import { accountWith } from '#lib/accounts/test-callers';
import { pool } from '#lib/db/client';
import { listen } from '#lib/db/listen';
import { requests } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { cancelGeneration } from '#lib/generations/cancel';
import { getGeneration } from '#lib/generations/read';
import { submitGeneration } from '#lib/generations/submit';
import { toWire } from '#lib/generations/to-wire';
import { newId } from '#lib/ids';
import { finish, type Ending } from '#lib/life/finish';
import { completed, failed } from '#lib/life/test-requests';
import {
  getDelivery,
  listDeliveries,
  MESSAGES_CHANNEL,
  resendDelivery,
  sendTest as askTest,
} from '#lib/webhooks/deliveries';
import { announce } from '#lib/webhooks/announce';
import { takeDeliveries } from '#lib/webhooks/take-deliveries';
import { openReceiver, verified, type Receiver } from '#lib/webhooks/webhook-test-server';
import {
  changeWebhook,
  createWebhook,
  getWebhook,
  listWebhooks,
  rotateSecret,
  type NewWebhook,
} from '#lib/webhooks/webhooks';
import { startOutbox } from '#lib/worker/outbox';
import { startWebhooks } from '#lib/worker/webhooks';

await useOwnDatabase();
Object.assign(process.env, { LOG_LEVEL: 'silent', ALLOWED_PRIVATE_HOSTS: 'localhost' });

let caller: Caller;
let receiver: Receiver;
let stop: () => Promise<void>;
/** Wakes the loops, as a database notification does in production. */
let nudge: () => void;

beforeAll(async () => void (receiver = await openReceiver()));
afterAll(() => receiver.close());

beforeEach(async () => {
  caller = await accountWith(100_000);
  await pool().query('delete from outbox; delete from webhooks');
  receiver.received.length = 0;
  const webhooks = startWebhooks();
  const outbox = startOutbox(webhooks.wake);
  nudge = () => [outbox, webhooks].forEach(loop => loop.wake());
  stop = async () => void (await Promise.all([outbox.stop(), webhooks.stop()]));
});
afterEach(() => stop());

const add = (path: string, change: Partial<Parameters<typeof createWebhook>[1]> = {}): Promise<NewWebhook> =>
  createWebhook(caller.accountId, { url: `${receiver.url}${path}`, ...change });

async function submit(webhook?: string): Promise<string> {
  const body = () => Promise.resolve({ prompt: 'dusk' });
  return (await submitGeneration({ caller, architectureId: 'z_image', body, webhook })).generation.id;
}

const announceNow = (address: string | null = null) =>
  announce({
    accountId: caller.accountId,
    event: 'request.failed',
    sourceId: newId(),
    at: new Date(),
    data: {},
    address,
  });

async function end(ending: Ending = failed, webhook?: string) {
  const id = await submit(webhook);
  await finish(eq(requests.id, id), ending);
  nudge();
  return id;
}

const deliveriesOf = async ({ id }: { id: string }) => (await listDeliveries(caller.accountId, id, { limit: 50 })).data;

async function sendTest(accountId: string, id: string) {
  const sent = await askTest(accountId, id);
  nudge();
  return sent;
}

/** Waits until the only delivery of a webhook matches `wanted`, and returns it. */
async function settled(webhook: { id: string }, wanted: object) {
  nudge();
  await expect.poll(() => deliveriesOf(webhook), { timeout: 10_000 }).toMatchObject([wanted]);
  return (await deliveriesOf(webhook))[0]!;
}

test('every final state of a request is sent as a signed message with the request as in the API', async () => {
  const webhook = await add('/all');
  const ids = [await end(completed()), await end(), await submit()];
  await cancelGeneration(caller.accountId, ids[2]!);
  nudge();
  await receiver.came(3);
  const messages = receiver.received.map(one => verified(one, webhook.secret));
  for (const [at, event] of ['request.completed', 'request.failed', 'request.cancelled'].entries()) {
    const message = messages.find(({ type }) => type === event)!;
    expect(message.data).toEqual(toWire(await getGeneration(caller.accountId, ids[at]!)));
    expect(Math.abs(Date.now() - Date.parse(message.timestamp))).toBeLessThan(60_000);
  }
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
  expect(receiver.received[0]!.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(() => verified(receiver.received[0]!, `whsec_${btoa('another')}`)).toThrow('No matching signature');
  await expect
    .poll(async () => (await deliveriesOf(webhook)).map(({ status }) => status))
    .toEqual(Array(3).fill('delivered'));
});

test('nothing is sent to a webhook that is disabled, not subscribed or of another account', async () => {
  await add('/completed', { events: ['request.completed'] });
  await changeWebhook(caller.accountId, (await add('/off')).id, { enabled: false });
  const first = caller;
  await add('/heard', { events: ['request.failed'] });
  const other = await createAccount({ email: `${newId()}@example.com` });
  await createWebhook(other.id, { url: `${receiver.url}/other` });
  await end();
  await receiver.came(1);
  const { rows } = await pool().query(
    `select w.url from webhook_deliveries d join webhooks w on w.id = d.webhook_id where w.account_id = any($1)`,
    [[first.accountId, other.id]],
  );
  expect(rows).toEqual([{ url: `${receiver.url}/heard` }]);
});

test('a final state without a subscribed webhook adds nothing to the outbox', async () => {
  await stop();
  await changeWebhook(caller.accountId, (await add('/off')).id, { enabled: false });
  await add('/completed', { events: ['request.completed'] });
  await end();
  expect((await pool().query('select consumer from outbox')).rows).toEqual([]);
  await end(completed());
  expect((await pool().query('select consumer from outbox')).rows).toEqual([{ consumer: 'webhooks' }]);
});

test('a request may name its own webhook URL, whose secret is obtained by rotation', async () => {
  await end(completed(), `${receiver.url}/mine`);
  await receiver.came(1, '/mine');
  const [standing] = await listWebhooks(caller.accountId);
  expect(standing).toMatchObject({ url: null });
  const { secret } = await rotateSecret(caller.accountId, standing!.id, 0);
  await end(completed(), `${receiver.url}/mine`);
  await receiver.came(2, '/mine');
  expect(verified(receiver.received.at(-1)!, secret)).toMatchObject({ type: 'request.completed' });
  expect(await listWebhooks(caller.accountId)).toHaveLength(1);
  const change = { url: receiver.url, events: ['request.failed' as const] };
  await expect(changeWebhook(caller.accountId, standing!.id, change)).rejects.toMatchObject({
    extra: { issues: [{ path: '/url' }, { path: '/events' }] },
  });
});

test('disabling the webhook for per-request URLs stops their messages', async () => {
  const url = `${receiver.url}/mine`;
  await end(completed(), url);
  await receiver.came(1, '/mine');
  const [standing] = await listWebhooks(caller.accountId);
  await changeWebhook(caller.accountId, standing!.id, { enabled: false });
  await announceNow(url);
  expect(await deliveriesOf(standing!)).toHaveLength(1);
});

test.each([
  'http://example.com/',
  'https://127.0.0.1/',
  'https://user:word@example.com/',
  'https://example.com:22/',
  'nonsense',
])('%s is refused as the webhook URL of a request, without a charge, and of a webhook', async webhook => {
  const refusal = expect.objectContaining({
    code: 'invalid_config',
    message: expect.stringContaining('Pomona-Webhook'),
  });
  await expect(submit(webhook)).rejects.toEqual(refusal);
  expect(await readBalance(caller.accountId)).toBe(100_000);
  await expect(createWebhook(caller.accountId, { url: webhook })).rejects.toMatchObject({ code: 'invalid_request' });
  const { id, url } = await add('/stays');
  const changed = changeWebhook(caller.accountId, id, { url: webhook });
  await expect(changed).rejects.toMatchObject({ code: 'invalid_request', extra: { issues: [{ path: '/url' }] } });
  expect(await getWebhook(caller.accountId, id)).toMatchObject({ url });
});

test('a failed message is sent again with the same id and body, after increasing pauses', async () => {
  const webhook = await add('/broken');
  receiver.answers['/broken'] = answer => answer.writeHead(503).end('busy');
  await end();
  const { id } = await settled(webhook, { status: 'pending', tries: [{ status: 503, answer: 'busy', error: null }] });
  const first = await getDelivery(caller.accountId, webhook.id, id);
  expect(first.dueAt!.getTime() - Date.now()).toBeLessThan(6_500);
  await pool().query('update webhook_deliveries set due_at = default where id = $1', [id]);
  await settled(webhook, { tries: [{ status: 503 }, { status: 503 }] });
  const second = await getDelivery(caller.accountId, webhook.id, id);
  expect(second.dueAt!.getTime() - Date.parse(second.tries[1]!.at)).toBeGreaterThan(15_000);
  expect(await getWebhook(caller.accountId, webhook.id)).toMatchObject({ failingSince: expect.any(Date) });
  delete receiver.answers['/broken'];
  await pool().query('update webhook_deliveries set due_at = default where id = $1', [id]);
  await settled(webhook, { status: 'delivered', dueAt: null, tries: [{}, {}, { status: 204 }] });
  expect(new Set(receiver.received.map(one => one.id))).toEqual(new Set([id]));
  expect(new Set(receiver.received.map(one => one.body)).size).toBe(1);
  expect(await getWebhook(caller.accountId, webhook.id)).toMatchObject({ failingSince: null });
});

test('a redirect does not count as a successful delivery', async () => {
  const webhook = await add('/moved');
  receiver.answers['/moved'] = answer => answer.writeHead(302, { location: '/' }).end();
  await end();
  await settled(webhook, { status: 'pending', tries: [{ status: 302 }] });
  expect(await getWebhook(caller.accountId, webhook.id)).toMatchObject({ failingSince: expect.any(Date) });
});

test('a message is given up with a notice after its last attempt, and can still be resent', async () => {
  const webhook = await add('/dead');
  receiver.answers['/dead'] = answer => answer.writeHead(500).end();
  await end();
  const { id } = await settled(webhook, { tries: [{}] });
  const made = { at: new Date().toISOString(), ms: 1, status: 500, answer: '', error: null };
  await pool().query('update webhook_deliveries set tries = $2, due_at = default where id = $1', [
    id,
    JSON.stringify(Array.from({ length: 10 }, (_, n) => ({ ...made, at: new Date(n).toISOString() }))),
  ]);
  await settled(webhook, { status: 'failed', dueAt: null });
  const { rows } = await pool().query('select data from notices where account_id = $1', [caller.accountId]);
  expect(rows).toMatchObject([{ data: { webhook_id: webhook.id, switched_off: null } }]);
  await resendDelivery(caller.accountId, webhook.id, id);
  const { tries, dueAt } = await settled(webhook, {
    id,
    status: 'pending',
    tries: Array.from({ length: 12 }, () => ({ status: 500 })),
  });
  // the pause is as short as after a first try
  expect(dueAt!.getTime() - Date.parse(tries[11]!.at)).toBeLessThan(15_000);
  delete receiver.answers['/dead'];
  await resendDelivery(caller.accountId, webhook.id, id);
  await settled(webhook, { id, status: 'delivered' });
});

test('a message that is resent during an attempt arrives once', async () => {
  const webhook = await add('/under-way');
  let answerIt!: () => void;
  receiver.answers['/under-way'] = answer => (answerIt = () => void answer.writeHead(204).end());
  const { id } = await sendTest(caller.accountId, webhook.id);
  await receiver.came(1, '/under-way');
  expect(await resendDelivery(caller.accountId, webhook.id, id)).toMatchObject({ status: 'pending' });
  expect(await takeDeliveries({ failing: false, most: 1, underWay: new Map(), ofAccount: new Map() })).toEqual([]);
  answerIt();
  await settled(webhook, { status: 'delivered', tries: [{ status: 204 }] });
  delete receiver.answers['/under-way'];
  await resendDelivery(caller.accountId, webhook.id, id);
  await settled(webhook, { status: 'delivered', tries: [{ status: 204 }, { status: 204 }] });
});

test('messages of a disabled account fail without an attempt, and can be resent once it is enabled', async () => {
  const webhook = await add('/disabled');
  const disable = (disabled: boolean) => changeAccount(COMMAND_LINE, caller.accountId, { disabled });
  await disable(true);
  await announceNow();
  const { id } = await settled(webhook, { status: 'failed', dueAt: null, finishedAt: expect.any(Date), tries: [] });
  await disable(false);
  await resendDelivery(caller.accountId, webhook.id, id);
  await settled(webhook, { id, status: 'delivered', finishedAt: expect.any(Date), tries: [{ status: 204 }] });
});

test('a 410 response or five days of failures disable a webhook, with a notice', async () => {
  const gone = await add('/gone', { events: ['request.failed'] });
  receiver.answers['/gone'] = answer => answer.writeHead(410).end();
  await end();
  await settled(gone, { status: 'failed', tries: [{ status: 410 }] });
  const dead = await add('/lost', { events: ['request.failed'] });
  receiver.answers['/lost'] = answer => answer.writeHead(500).end();
  await pool().query(`update webhooks set failing_since = now() - interval '121 hours' where id = $1`, [dead.id]);
  await end();
  await settled(dead, { status: 'failed', tries: [{ status: 500 }] });
  expect(await getWebhook(caller.accountId, gone.id)).toMatchObject({ disabledBecause: 'gone' });
  expect(await getWebhook(caller.accountId, dead.id)).toMatchObject({ disabledBecause: 'failing' });
  const { rows } = await pool().query('select data from notices where account_id = $1 order by created_at', [
    caller.accountId,
  ]);
  expect(rows.map(({ data }) => data.switched_off)).toEqual(['gone', 'failing']);
  await expect(sendTest(caller.accountId, gone.id)).rejects.toMatchObject({ code: 'webhook_disabled' });
  delete receiver.answers['/gone'];
  const again = await changeWebhook(caller.accountId, gone.id, { enabled: true });
  expect(again).toMatchObject({ disabledAt: null, disabledBecause: null, failingSince: null });
  await sendTest(caller.accountId, gone.id);
  await receiver.came(2, '/gone');
});

test('a new webhook URL starts without past failures and receives the pending messages', async () => {
  const webhook = await add('/old', { events: ['request.failed'] });
  receiver.answers['/old'] = receiver.answers['/new'] = answer => answer.writeHead(503).end();
  await end();
  const { id } = await settled(webhook, { status: 'pending', tries: [{ status: 503 }] });
  await pool().query(`update webhooks set failing_since = now() - interval '6 days' where id = $1`, [webhook.id]);
  // setting the same URL is not a change
  const same = await changeWebhook(caller.accountId, webhook.id, { url: webhook.url! });
  expect(same).toMatchObject({ failingSince: expect.any(Date) });
  const url = `${receiver.url}/new`;
  expect(await changeWebhook(caller.accountId, webhook.id, { url })).toMatchObject({ failingSince: null });
  await pool().query('update webhook_deliveries set due_at = default where id = $1', [id]);
  await settled(webhook, { status: 'pending', url, tries: [{ status: 503 }, { status: 503 }] });
  expect(await getWebhook(caller.accountId, webhook.id)).toMatchObject({
    disabledAt: null,
    failingSince: expect.any(Date),
  });
});

test('a test message or a resend notifies the senders', async () => {
  const webhook = await add('/asked');
  const heard = vi.fn();
  const ear = listen(MESSAGES_CHANNEL, heard);
  await vi.waitFor(async () => {
    await pool().query(`select pg_notify('${MESSAGES_CHANNEL}', '')`);
    expect(heard).toHaveBeenCalled();
  }, 30_000);
  heard.mockClear();
  const { id } = await askTest(caller.accountId, webhook.id);
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 30_000);
  await settled(webhook, { status: 'delivered' });
  heard.mockClear();
  await resendDelivery(caller.accountId, webhook.id, id);
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 30_000);
  await ear.close();
});

test('a 410 response from one per-request URL does not disable the others', async () => {
  receiver.answers['/gone-too'] = answer => answer.writeHead(410).end();
  await end(completed(), `${receiver.url}/gone-too`);
  await receiver.came(1, '/gone-too');
  const [standing] = await listWebhooks(caller.accountId);
  await settled(standing!, { status: 'failed', tries: [{ status: 410 }] });
  await end(completed(), `${receiver.url}/there`);
  await receiver.came(1, '/there');
  expect(await listWebhooks(caller.accountId)).toMatchObject([{ disabledAt: null, failingSince: null }]);
});

test('messages carry both signatures during a secret rotation, and only the new one afterwards', async () => {
  const webhook = await add('/rotated');
  const refused = (at: number, secret: string) => {
    const { body, headers } = receiver.received[at]!;
    expect(() => new Verifier(secret).verify(body, headers)).toThrow();
  };
  const { secret } = await rotateSecret(caller.accountId, webhook.id, 24);
  await sendTest(caller.accountId, webhook.id);
  await receiver.came(1);
  for (const one of [secret, webhook.secret])
    expect(verified(receiver.received[0]!, one)).toMatchObject({ type: 'webhook.test' });
  await pool().query(`update webhooks set previous_until = now() - interval '1 second' where id = $1`, [webhook.id]);
  await sendTest(caller.accountId, webhook.id);
  await receiver.came(2);
  expect(verified(receiver.received[1]!, secret)).toMatchObject({ type: 'webhook.test' });
  refused(1, webhook.secret);
  const last = await rotateSecret(caller.accountId, webhook.id, 0);
  await sendTest(caller.accountId, webhook.id);
  await receiver.came(3);
  expect(verified(receiver.received[2]!, last.secret)).toMatchObject({ type: 'webhook.test' });
  refused(2, secret);
});

test('a hanging receiver delays only its own messages', async () => {
  const hanging: (() => void)[] = [];
  receiver.answers['/hangs'] = answer => void hanging.push(() => answer.writeHead(204).end());
  const dead = await add('/hangs', { events: ['request.failed'] });
  for (let n = 0; n < 8; n++) await sendTest(caller.accountId, dead.id);
  await receiver.came(4, '/hangs');
  const live = await add('/lives', { events: ['request.completed'] });
  await end(completed());
  await settled(live, { status: 'delivered' });
  // at most four concurrent deliveries
  expect(receiver.received.filter(({ path }) => path === '/hangs')).toHaveLength(4);
  receiver.answers['/hangs'] = answer => answer.writeHead(204).end();
  hanging.forEach(speak => speak());
  await receiver.came(8, '/hangs');
});
