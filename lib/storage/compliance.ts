import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { newMediaKey } from '#lib/storage/media-key';
import type { ByteStore } from '#lib/storage/storage';

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

/** Longer than `PART_BYTES`, so that an upload needs several requests. */
const LARGE = 17_000_000;

async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700_001) yield bytes.subarray(at, at + 700_001);
}

async function* broken(length: number): AsyncGenerator<Uint8Array> {
  yield* inChunks(randomBytes(length));
  throw new Error('the sender went away');
}

/** Tests that every `ByteStore` must pass. `make` returns an empty store. */
export function testStorage(name: string, make: () => Promise<ByteStore>): void {
  const keysOf = async (store: ByteStore, prefix = '') => {
    const keys: string[] = [];
    for await (const { key } of store.list(prefix)) keys.push(key);
    return keys.sort();
  };

  test(`${name}: a stored file is read back unchanged, whole and by range`, async () => {
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

  test(`${name}: a long file is written and read as a stream`, async () => {
    const store = await make();
    const key = newMediaKey('result', 'video/mp4');
    const bytes = randomBytes(LARGE);
    const put = await store.put(key, inChunks(bytes), 'video/mp4');
    expect(put.bytes).toBe(LARGE);
    expect(await store.head(key)).toEqual(put);
    expect(bytes.equals(await buffer(await store.get(key)))).toBe(true);
    const across = { start: 8_388_600, end: 8_388_620 };
    expect(bytes.subarray(across.start, across.end + 1).equals(await buffer(await store.get(key, across)))).toBe(true);
    expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  });

  test.each([300_000, LARGE])(
    `${name}: %i bytes that are written again give the same result, and other bytes are refused`,
    async length => {
      const store = await make();
      const key = newMediaKey('result', 'video/mp4');
      const bytes = randomBytes(length);
      const first = await store.put(key, inChunks(bytes), 'video/mp4');
      expect(await store.put(key, inChunks(bytes), 'video/mp4')).toEqual(first);
      for (const other of [randomBytes(length), bytes.subarray(1)]) {
        const again = store.put(key, inChunks(other), 'video/mp4');
        await expect(again).rejects.toMatchObject({ code: 'precondition_failed' });
      }
      expect(await store.head(key)).toEqual(first);
      expect(bytes.equals(await buffer(await store.get(key)))).toBe(true);
      expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
    },
  );

  test(`${name}: an empty file can be stored and read`, async () => {
    const store = await make();
    expect(await store.put('input/empty.mp3', new Uint8Array(), 'audio/mpeg')).toMatchObject({ bytes: 0 });
    expect(await buffer(await store.get('input/empty.mp3'))).toHaveLength(0);
  });

  test.each([
    [12, 300_000],
    [3, LARGE],
  ])(`${name}: exactly one of %i concurrent writes of %i bytes to the same key succeeds`, async (many, length) => {
    const store = await make();
    const key = newMediaKey('result', 'image/png');
    const bodies = Array.from({ length: many }, (_, n) => Buffer.alloc(length, n));
    const results = await Promise.allSettled(bodies.map(body => store.put(key, body, 'image/png')));
    const winners = results.flatMap((result, n) => (result.status === 'fulfilled' ? [n] : []));
    expect(winners).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'precondition_failed' });
    }
    expect(bodies[winners[0]!]!.equals(await buffer(await store.get(key)))).toBe(true);
    expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  });

  test.each([700_000, LARGE])(
    `${name}: a body that breaks off after %i bytes leaves no file and no unfinished upload`,
    async length => {
      const store = await make();
      const key = newMediaKey('result', 'image/png');
      await expect(store.put(key, broken(length), 'image/png')).rejects.toThrow('the sender went away');
      expect(await store.head(key)).toBeNull();
      expect(await keysOf(store)).toEqual([]);
      expect(await store.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
      await store.put(key, new Uint8Array([1]), 'image/png');
    },
  );

  test(`${name}: a put whose body cannot be opened fails and stores no file`, async () => {
    const store = await make();
    const key = newMediaKey('result', 'image/png');
    const put = store.put(key, createReadStream('/none'), 'image/png');
    await expect(put).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await keysOf(store)).toEqual([]);
  });

  test(`${name}: reading a missing file reports not_found, and deleting it is not an error`, async () => {
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

  test(`${name}: list returns the files below a prefix, with their size and modification time`, async () => {
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
    await expect(store.delete(key)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.head(key)).toBeNull();
  });

  test(`${name}: a content type that does not match the extension of the key is refused`, async () => {
    const store = await make();
    await expect(store.put('result/a.png', new Uint8Array([1]), 'text/html')).rejects.toThrow('cannot hold');
    expect(await store.head('result/a.png')).toBeNull();
  });

  test(`${name}: check succeeds repeatedly and leaves no file behind`, async () => {
    const store = await make();
    await store.check();
    await store.check();
    expect(await keysOf(store)).toEqual([]);
  });

  test(`${name}: the identity is unique to the store, stable, and the same for concurrent first calls`, async () => {
    const [store, other] = [await make(), await make()];
    const asked = await Promise.all(Array.from({ length: 8 }, () => store.identity()));
    expect(new Set(asked).size).toBe(1);
    expect(asked[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.identity()).toBe(asked[0]);
    expect(await other.identity()).not.toBe(asked[0]);
    expect(await keysOf(store)).toEqual([]);
  });
}
