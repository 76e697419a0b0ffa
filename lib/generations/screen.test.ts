import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { requireAllowed, requireUnflagged } from '#lib/generations/screen';

const server = createServer(async (incoming, outgoing) => {
  const { input } = (await json(incoming)) as { input: string };
  if (input === 'down') outgoing.writeHead(500);
  outgoing.end(JSON.stringify({ results: [{ flagged: input === 'bad' }] }));
}).listen(0, '127.0.0.1');
await new Promise(listening => server.once('listening', listening));
process.env.MODERATION_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => server.close());

test('what the moderation endpoint flags is blocked like what the policy forbids', async () => {
  await expect(requireUnflagged('bad')).rejects.toMatchObject({ code: 'content_blocked', status: 403 });
  await requireUnflagged('good');
  expect(() => requireAllowed('nude child', 'mango')).toThrow(expect.objectContaining({ code: 'content_blocked' }));
  requireAllowed('an orchard', 'mango');
});

test('a moderation endpoint that is down stops the submit as a fault of the server', async () => {
  await expect(requireUnflagged('down')).rejects.not.toHaveProperty('code');
});
