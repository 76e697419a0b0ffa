import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { isFlagged } from '#lib/moderation/endpoint';

let answer: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;
const server = createServer((incoming, outgoing) => answer(incoming, outgoing)).listen(0, '127.0.0.1');
await new Promise(listening => server.once('listening', listening));
process.env.MODERATION_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
process.env.MODERATION_KEY = 'a-key';
afterAll(() => server.close());

test('the prompt is sent to the moderation endpoint with model and key, and its verdict is used', async () => {
  answer = async (incoming, outgoing) => {
    const { model, input } = (await json(incoming)) as { model: string; input: string };
    expect([incoming.method, incoming.url, incoming.headers.authorization, model]).toEqual([
      'POST',
      '/v1/moderations',
      'Bearer a-key',
      'omni-moderation-latest',
    ]);
    outgoing.end(JSON.stringify({ id: 'modr-1', model, results: [{ flagged: false }, { flagged: input === 'bad' }] }));
  };
  expect(await isFlagged('bad')).toBe(true);
  expect(await isFlagged('good')).toBe(false);
});

const long = JSON.stringify({ results: [{ flagged: false }], more: ' '.repeat(10_000_000) });

test('a prompt is not accepted when the moderation endpoint times out', async () => {
  answer = () => {};
  const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  onTestFinished(() => limit.mockRestore());
  await expect(isFlagged('good')).rejects.toThrow('could not be used');
});

test.each<[string, typeof answer]>([
  ['says no', (_, outgoing) => outgoing.writeHead(503).end('{"results":[{"flagged":false}]}')],
  [
    'redirects',
    ({ url }, outgoing) =>
      url === '/elsewhere'
        ? outgoing.end('{"results":[{"flagged":false}]}')
        : outgoing.writeHead(302, { location: '/elsewhere' }).end(),
  ],
  ['speaks nonsense', (_, outgoing) => outgoing.end('<html>')],
  ['says more than it has to', (_, outgoing) => outgoing.end(long)],
  [
    'packs what would fill our memory',
    (_, outgoing) => outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(long)),
  ],
  ['has no verdict', (_, outgoing) => outgoing.end('{"results":[]}')],
  ['hangs up', incoming => incoming.destroy()],
])('a prompt is not accepted when the moderation endpoint %s', async (_, broken) => {
  answer = broken;
  await expect(isFlagged('good')).rejects.toThrow('could not be used');
});
