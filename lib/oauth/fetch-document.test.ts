import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeCertificate } from '#lib/media/test-certificate';
import { fetchDocument } from '#lib/oauth/fetch-document';

const certificate = makeCertificate(['app.test']);
const lookup = (_: string, __: object, done: (error: null, entries: object[]) => void) =>
  done(null, [{ address: '127.0.0.1', family: 4 }]);
vi.mock('#lib/media/guarded-agent', () => ({
  guardedAgent: async () => new Agent({ connect: { ca: certificate.cert, lookup: lookup as never } }),
}));

let text: string;
const server = createServer(certificate, (_, answer) => answer.end(text));
const read = async () => {
  const { port } = server.address() as AddressInfo;
  return (await fetchDocument(`https://app.test:${port}/app.json`)).text();
};
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => void server.close());

test('a client document of up to 16 KB is read, and a larger one is refused', async () => {
  text = 'a'.repeat(16_384);
  expect(await read()).toBe(text);
  text += 'a';
  await expect(read()).rejects.toThrow('more than 16384 bytes at app.test');
});
