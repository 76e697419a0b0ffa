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

test('a prompt that the moderation endpoint flags is blocked like one that the content policy forbids', async () => {
  await expect(requireUnflagged('bad')).rejects.toMatchObject({ code: 'content_blocked', status: 403 });
  await requireUnflagged('good');
  expect(() => requireAllowed('nude child', 'mango')).toThrow(expect.objectContaining({ code: 'content_blocked' }));
  requireAllowed('an orchard', 'mango');
});

test('a moderation endpoint that is down causes an internal error, not a refusal', async () => {
  await expect(requireUnflagged('down')).rejects.not.toHaveProperty('code');
});
