import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { env } from '#lib/env';
import { holdRefusal } from '#lib/http/limit-refusals';

let server: Server;
/** Settled when the server is done with a refusal. */
const held: Promise<void>[] = [];

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function refuseAll(perSecond: number): Promise<void> {
  Object.assign(env(), { LIMIT_REFUSALS_PER_ADDRESS: perSecond });
  server = createServer((_incoming, outgoing) => {
    const hold = holdRefusal(outgoing);
    held.push(hold);
    void hold.then(() => outgoing.writeHead(400).end());
  });
  await once(server.listen(0), 'listening');
}

async function ask(localAddress: string): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', localAddress, agent: false }).end();
  const [answer] = await once(sent, 'response');
  return answer.resume().statusCode;
}

test('refusals over the rate of an address are delayed, those of other addresses are not', async () => {
  await refuseAll(2);
  const order: string[] = [];
  await Promise.all([1, 2].map(() => ask('127.0.0.3')));
  const late = ask('127.0.0.3').then(() => order.push('the third'));
  await ask('127.0.0.4').then(() => order.push('another one’s'));
  await late;
  expect(order).toEqual(['another one’s', 'the third']);
});

test('a connection is closed if its refusal would be delayed for too long', async () => {
  await refuseAll(0.3);
  for (let earlier = 0; earlier < 4; earlier++) {
    const arrived = once(server, 'request');
    ask('127.0.0.5').catch(() => {});
    await arrived;
  }
  await expect(ask('127.0.0.5')).rejects.toThrow('socket hang up');
});

test('the delay of a refusal ends when its client disconnects', async () => {
  await refuseAll(1);
  await ask('127.0.0.6');
  // a delay of about eight seconds
  Object.assign(env(), { LIMIT_REFUSALS_PER_ADDRESS: 0.12 });
  const sent = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress: '127.0.0.6' });
  const arrived = once(server, 'request');
  sent.on('error', () => {}).end();
  await arrived;
  sent.destroy();
  let isOver = false;
  void held.at(-1)!.then(() => (isOver = true));
  Object.assign(env(), { LIMIT_REFUSALS_PER_ADDRESS: 2 });
  await Promise.all([1, 2, 3].map(() => ask('127.0.0.16')));
  expect(isOver).toBe(true);
});
