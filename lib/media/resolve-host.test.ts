import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { resolveHost } from '#lib/media/resolve-host';

/** Queries to a name server that resolves `known.test`, denies that `unknown.test` exists, and ignores other names. */
const asked: string[] = [];
const server = createSocket('udp4', (query, { port, address }) => {
  const name = nameIn(query);
  asked.push(name);
  const isV4 = query.readUInt16BE(query.length - 4) === 1 || query.includes(Buffer.from([0, 0, 1, 0, 1]));
  if (name === 'known.test') server.send(answer(query, isV4 ? [Buffer.from([93, 184, 215, 14])] : []), port, address);
  if (name === 'unknown.test') server.send(answer(query, [], 3), port, address);
});
server.bind(0, '127.0.0.1');
await once(server, 'listening');
const servers = [`127.0.0.1:${server.address().port}`];
afterAll(() => void server.close());

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  return labels.join('.').toLowerCase();
}

/** Returns a response: the header and question of the query, then a record for each address. */
function answer(query: Buffer, addresses: Buffer[], code = 0): Buffer {
  const end = 12 + nameIn(query).length + 2 + 4;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map(address => Buffer.concat([Buffer.from('c00c000100010000003c0004', 'hex'), address]));
  return Buffer.concat([head, ...records]);
}

test('a name is resolved by the name servers, not by the machine', async () => {
  expect(await resolveHost('known.test', servers)).toEqual(['93.184.215.14']);
  await expect(resolveHost('unknown.test', servers)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(new Set(asked)).toEqual(new Set(['known.test', 'unknown.test']));
});

test('unanswered names block neither other names nor file access', async () => {
  const finished: string[] = [];
  for (let n = 0; n < 60; n++) {
    const name = `silent-${n}.test`;
    resolveHost(name, servers).catch(() => finished.push(name));
  }
  expect(await resolveHost('known.test', servers)).toEqual(['93.184.215.14']);
  expect((await readFile(new URL(import.meta.url))).length).toBeGreaterThan(0);
  expect(finished).toEqual([]);
});
