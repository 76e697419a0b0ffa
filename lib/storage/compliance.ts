import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { newMediaKey } from '#lib/storage/media-key';
import type { ByteStore, ClientAccess, SignedPut } from '#lib/storage/storage';

const BAD_KEYS = [
  '',
  '/',
  '.',
  '..',
  '../secret.png',
  'result/../../secret.png',
  'result/./a.png',
  'result//a.png',
  '/result/a.png',
  'result/a.png/',
  'result/.hidden.png',
  'result\\a.png',
  'result/a\0.png',
  'result/A.png',
  'result/%2e%2e/a.png',
  'result/ä.png',
  'result/a.svg',
  'result/a.html',
  'result/a',
  'result/a.png\n',
  `result/${'a'.repeat(300)}.png`,
];

/** Longer than an object store takes in one request. */
const LARGE = 17_000_000;

async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700_001) yield bytes.subarray(at, at + 700_001);
}

async function* broken(length: number): AsyncGenerator<Uint8Array> {
  yield* inChunks(randomBytes(length));
  throw new Error('the sender went away');
}

/** What every store promises. `make` gives a store that holds nothing yet. */
export function testStorage(name: string, make: () => Promise<ByteStore>): void {
  const keysOf = async (store: ByteStore, prefix = '') => {
    const keys: string[] = [];
    for await (const { key } of store.list(prefix)) keys.push(key);
    return keys.sort();
  };

  test(`${name}: what was put comes back, whole and by range`, async () => {
    const store = await make();
    const bytes = randomBytes(2_500_000);
    const key = newMediaKey('result', 'image/png');
    const put = await store.put(
      key,
      Readable.from([bytes.subarray(0, 1_000_001), bytes.subarray(1_000_001)]),
      'image/png',
    );
    expect(put).toEqual({ bytes: bytes.length, contentType: 'image/png', etag: expect.stringMatching(/^"[^"]+"$/) });
    expect(await store.head(key)).toEqual(put);
    expect(bytes.equals(await buffer(await store.get(key)))).toBe(true);
    const ranges = [
      [0, 0],
      [1_000_000, 1_000_002],
      [bytes.length - 1, bytes.length - 1],
      [10, bytes.length - 1],
    ] as const;
    for (const [start, end] of ranges) {
      expect(bytes.subarray(start, end + 1).equals(await buffer(await store.get(key, { start, end })))).toBe(true);
    }
    expect(bytes.equals(await store.withFile(key, path => readFile(path)))).toBe(true);
  });

  test(`${name}: a long file streams in and out`, async () => {
    const store = await make();
    const bytes = randomBytes(LARGE);
    const put = await store.put('result/long.mp4', inChunks(bytes), 'video/mp4');
    expect(put.bytes).toBe(LARGE);
    expect(await store.head('result/long.mp4')).toEqual(put);
    expect(bytes.equals(await buffer(await store.get('result/long.mp4')))).toBe(true);
    const across = { start: 8_388_600, end: 8_388_620 };
    expect(
      bytes.subarray(across.start, across.end + 1).equals(await buffer(await store.get('result/long.mp4', across))),
    ).toBe(true);
    expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  });

  test.each([300_000, LARGE])(
    `${name}: %i bytes that come again are answered as before, other bytes are refused`,
    async length => {
      const store = await make();
      const bytes = randomBytes(length);
      const first = await store.put('result/twice.mp4', inChunks(bytes), 'video/mp4');
      expect(await store.put('result/twice.mp4', inChunks(bytes), 'video/mp4')).toEqual(first);
      for (const other of [randomBytes(length), bytes.subarray(1)]) {
        const again = store.put('result/twice.mp4', inChunks(other), 'video/mp4');
        await expect(again).rejects.toMatchObject({ code: 'precondition_failed' });
      }
      expect(await store.head('result/twice.mp4')).toEqual(first);
      expect(bytes.equals(await buffer(await store.get('result/twice.mp4')))).toBe(true);
      expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
    },
  );

  test(`${name}: an empty file is a file`, async () => {
    const store = await make();
    expect(await store.put('input/empty.mp3', new Uint8Array(), 'audio/mpeg')).toMatchObject({ bytes: 0 });
    expect(await buffer(await store.get('input/empty.mp3'))).toHaveLength(0);
  });

  test(`${name}: a key is written once, and of many at a time one wins`, async () => {
    const store = await make();
    const bodies = Array.from({ length: 12 }, (_, n) => Buffer.alloc(300_000, n));
    const results = await Promise.allSettled(bodies.map(body => store.put('result/race.png', body, 'image/png')));
    const winners = results.flatMap((result, n) => (result.status === 'fulfilled' ? [n] : []));
    expect(winners).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'precondition_failed' });
    }
    expect(bodies[winners[0]!]!.equals(await buffer(await store.get('result/race.png')))).toBe(true);
    expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  });

  test.each([700_000, LARGE])(`${name}: a body that breaks off after %i bytes leaves nothing`, async length => {
    const store = await make();
    await expect(store.put('result/half.png', broken(length), 'image/png')).rejects.toThrow('the sender went away');
    expect(await store.head('result/half.png')).toBeNull();
    expect(await keysOf(store)).toEqual([]);
    expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
    await store.put('result/half.png', new Uint8Array([1]), 'image/png');
  });

  test(`${name}: missing files are not found, and deleting them is no error`, async () => {
    const store = await make();
    const key = newMediaKey('upload', 'video/webm');
    expect(await store.head(key)).toBeNull();
    await expect(store.get(key)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.withFile(key, async () => {})).rejects.toMatchObject({ code: 'not_found' });
    await store.delete(key);
    await store.put(key, new Uint8Array([1]), 'video/webm');
    await store.delete(key);
    expect(await store.head(key)).toBeNull();
  });

  test(`${name}: lists what lies below a prefix`, async () => {
    const store = await make();
    for (const key of ['result/a.png', 'result/b.mp4', 'input/c.wav']) {
      await store.put(
        key,
        new Uint8Array(3),
        key.endsWith('png') ? 'image/png' : key.endsWith('mp4') ? 'video/mp4' : 'audio/wav',
      );
    }
    expect(await keysOf(store)).toEqual(['input/c.wav', 'result/a.png', 'result/b.mp4']);
    expect(await keysOf(store, 'result/')).toEqual(['result/a.png', 'result/b.mp4']);
    for await (const entry of store.list('input/')) {
      expect(entry.bytes).toBe(3);
      expect(Math.abs(entry.modifiedAt.getTime() - Date.now())).toBeLessThan(60_000);
    }
  });

  test.each(BAD_KEYS)(`${name}: refuses the key %j`, async key => {
    const store = await make();
    await expect(store.put(key, new Uint8Array([1]), 'image/png')).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.get(key)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.head(key)).toBeNull();
  });

  test(`${name}: the type is the one that the key stands for`, async () => {
    const store = await make();
    await expect(store.put('result/a.png', new Uint8Array([1]), 'text/html')).rejects.toThrow('cannot hold');
    expect(await store.head('result/a.png')).toBeNull();
  });

  test(`${name}: can be written`, async () => {
    const store = await make();
    await store.check();
    await store.check();
    expect(await keysOf(store)).toEqual([]);
  });

  test(`${name}: has an identity of its own, whoever asks first`, async () => {
    const [store, other] = [await make(), await make()];
    const asked = await Promise.all(Array.from({ length: 8 }, () => store.identity()));
    expect(new Set(asked).size).toBe(1);
    expect(asked[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.identity()).toBe(asked[0]);
    expect(await other.identity()).not.toBe(asked[0]);
    expect(await keysOf(store)).toEqual([]);
  });
}

/** What every store promises of the addresses that it signs. */
export function testClientAccess(name: string, make: () => Promise<{ bytes: ByteStore; access: ClientAccess }>): void {
  const body = randomBytes(5_000);
  const soon = () => new Date(Date.now() + 60_000);
  const ticket = { contentType: 'image/png', maxBytes: 10_000 };
  const send = ({ url, method, headers }: SignedPut, bytes = body) => fetch(url, { method, headers, body: bytes });
  const answer = {
    'content-type': 'image/png',
    'content-disposition': 'inline; filename="a b.png"',
    'cache-control': 'private',
  };

  test(`${name}: a file comes in by a signed PUT, and a try again is one too`, async () => {
    const { bytes, access } = await make();
    const put = await access.signPut('upload/a.png', { ...ticket, expiresAt: soon() });
    expect(new URL(put.url).origin).toBe(access.origin);
    const [type, range, ...others] = Object.entries(put.headers);
    expect(type).toEqual(['Content-Type', 'image/png']);
    expect(range).toEqual([expect.stringMatching(/^x-.+-content-length-range$/), '0,10000']);
    expect(others).toEqual([]);
    expect((await send(put)).status).toBe(200);
    expect(await bytes.head('upload/a.png')).toMatchObject({ bytes: body.length, contentType: 'image/png' });
    expect((await send(put)).status).toBe(200);
    expect(body.equals(await buffer(await bytes.get('upload/a.png')))).toBe(true);
  });

  /** With another value in place of the header's that has this one, or without it. */
  const changed = ({ headers }: SignedPut, from: string, to: string | null) => ({
    headers: Object.fromEntries(
      Object.entries(headers).flatMap(([header, value]) =>
        value !== from ? [[header, value]] : to === null ? [] : [[header, to]],
      ),
    ),
  });
  const tampered: [string, (put: SignedPut) => Partial<SignedPut>][] = [
    ['another type', put => changed(put, 'image/png', 'text/html')],
    ['no type', put => changed(put, 'image/png', null)],
    ['a wider range', put => changed(put, '0,10000', '0,99999')],
    ['no range', put => changed(put, '0,10000', null)],
    ['another key', put => ({ url: put.url.replace('upload/a.png', 'upload/b.png') })],
    ['a later end', put => ({ url: put.url.replace(/(Expires=)\d+/, '$19999') })],
    [
      'another signature',
      put => ({ url: put.url.replace(/.(&[^&]*)?$/, match => (match[0] === '0' ? '1' : '0') + match.slice(1)) }),
    ],
    ['no signature', put => ({ url: put.url.split('?')[0]! })],
  ];
  test.each(tampered)(`${name}: refuses a PUT with %s`, async (_, change) => {
    const { bytes, access } = await make();
    const put = await access.signPut('upload/a.png', { ...ticket, expiresAt: soon() });
    expect((await send({ ...put, ...change(put) })).status).toBeGreaterThanOrEqual(400);
    expect(await bytes.head('upload/a.png')).toBeNull();
    expect(await bytes.head('upload/b.png')).toBeNull();
    expect((await send(put)).status).toBe(200);
  });

  test(`${name}: what was accepted stays as it was, whatever comes to its address`, async () => {
    const { bytes, access } = await make();
    const put = await access.signPut('upload/a.png', { ...ticket, expiresAt: soon() });
    expect(await access.accept!('upload/a.png', 'upload/kept.png')).toBe(false);
    await send(put);
    expect(await access.accept!('upload/a.png', 'upload/kept.png')).toBe(true);
    await send(put, randomBytes(20));
    expect(await bytes.head('upload/kept.png')).toMatchObject({ bytes: body.length });
    expect(body.equals(await buffer(await bytes.get('upload/kept.png')))).toBe(true);
  });

  test(`${name}: a signed PUT ends with its time`, async () => {
    const { bytes, access } = await make();
    const end = Date.now();
    const late = await access.signPut('upload/a.png', { ...ticket, expiresAt: new Date(end) });
    await expect.poll(() => Date.now(), { timeout: 3000 }).toBeGreaterThan(end + 1000);
    const refused = await send(late);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await refused.text()).toMatch(/expired|AccessDenied/i);
    expect(await bytes.head('upload/a.png')).toBeNull();
  });

  test(`${name}: a file is read at a signed address, which is the same for a while and says of itself what was asked`, async () => {
    const { bytes, access } = await make();
    await bytes.put('result/a.png', body, 'image/png');
    const sign = () =>
      access.signGet!('result/a.png', { headers: answer, expiresAt: new Date(Date.now() + 86_400_000) });
    const url = await sign();
    expect(await sign()).toBe(url);
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    for (const [header, value] of Object.entries(answer)) expect(whole.headers.get(header)).toBe(value);
    expect(body.equals(Buffer.from(await whole.arrayBuffer()))).toBe(true);
    const part = await fetch(url, { headers: { range: 'bytes=10-19' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${body.length}`]);
    const known = { 'if-none-match': (await bytes.head('result/a.png'))!.etag };
    expect((await fetch(url, { headers: known })).status).toBe(304);
    for (const other of [url.replace('a.png', 'b.png'), url.replace('image%2Fpng', 'text%2Fhtml'), url.split('?')[0]!])
      expect([400, 403]).toContain((await fetch(other)).status);
  });
}
