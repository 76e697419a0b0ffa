import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from './verify-webhook.ts';

const SECRET = `whsec_${Buffer.from('an orchard in the morning').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another orchard').toString('base64')}`;
const BODY = '{"type":"request.completed","data":{"prompt":"é"}}';

const now = () => Math.floor(Date.now() / 1000);

function sign(secret: string, { body = BODY, timestamp = now() } = {}) {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` };
}

test('a message signed with the secret is accepted and returned parsed', async () => {
  expect(await verifyWebhook(BODY, sign(SECRET), SECRET)).toEqual(JSON.parse(BODY));
  expect(await verifyWebhook(BODY, new Headers(sign(SECRET)), SECRET)).toEqual(JSON.parse(BODY));
});

test('a body may be given as bytes, and header names may be capitalised', async () => {
  const capitals = Object.fromEntries(
    Object.entries(sign(SECRET)).map(([name, value]) => [
      name.replaceAll(/\b[a-z]/g, letter => letter.toUpperCase()),
      value,
    ]),
  );
  expect(await verifyWebhook(Buffer.from(BODY), capitals, SECRET)).toEqual(JSON.parse(BODY));
  expect(await verifyWebhook(new TextEncoder().encode(BODY), sign(SECRET), SECRET)).toEqual(JSON.parse(BODY));
});

test('one of two signatures is enough during a secret rotation', async () => {
  const headers = sign(SECRET);
  const both = `${sign(OTHER)['webhook-signature']} ${headers['webhook-signature']}`;
  expect(await verifyWebhook(BODY, { ...headers, 'webhook-signature': both }, SECRET)).toEqual(JSON.parse(BODY));
});

test.each<[string, string, Record<string, string>]>([
  ['another body', `${BODY} `, sign(SECRET)],
  ['another secret', BODY, sign(OTHER)],
  ['another id', BODY, { ...sign(SECRET), 'webhook-id': 'msg_2' }],
  ['an old one', BODY, sign(SECRET, { timestamp: now() - 3000 })],
  ['one from the future', BODY, sign(SECRET, { timestamp: now() + 3000 })],
  ['no time', BODY, { ...sign(SECRET), 'webhook-timestamp': 'now' }],
  ['no signature', BODY, { 'webhook-id': 'msg_1', 'webhook-timestamp': String(now()) }],
  ['a signature that is none', BODY, { ...sign(SECRET), 'webhook-signature': 'v1,%%%' }],
  [
    'another version of signature',
    BODY,
    { ...sign(SECRET), 'webhook-signature': sign(SECRET)['webhook-signature'].replace('v1', 'v2') },
  ],
])('%s is refused', async (_, body, headers) => {
  await expect(verifyWebhook(body, headers, SECRET)).rejects.toThrow(WebhookError);
});

test('a receiver without a secret, or with a parsed body, is told so', async () => {
  for (const secret of ['', undefined])
    await expect(verifyWebhook(BODY, sign(SECRET), secret as string)).rejects.toThrow('The secret is missing.');
  for (const body of [JSON.parse(BODY), undefined])
    await expect(verifyWebhook(body as string, sign(SECRET), SECRET)).rejects.toThrow('not parsed');
});

test('the tolerance for the timestamp can be changed', async () => {
  const old = sign(SECRET, { timestamp: now() - 3000 });
  expect(await verifyWebhook(BODY, old, SECRET, { tolerance: 3600 })).toEqual(JSON.parse(BODY));
});
