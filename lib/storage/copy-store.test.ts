import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createBucketStore } from '#lib/storage/bucket';
import { copyStore } from '#lib/storage/copy-store';
import { createLocalStore } from '#lib/storage/local';
import { s3Bucket } from '#lib/storage/s3';
import { CREDENTIALS, locationOf, startS3Server } from '#lib/storage/s3-test-server';
import type { ByteStore } from '#lib/storage/storage';

const server = await startS3Server();
afterAll(() => server.close());

let dir: string;
let disk: ByteStore;
let bucket: ByteStore;
const files = new Map(
  [10, 300_000, 9_000_000, 0, 25].map((length, n) => [`result/${n}.png`, randomBytes(length)] as const),
);

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pomona-copy-'));
  disk = createLocalStore(dir);
  bucket = createBucketStore(s3Bucket(locationOf(await server.makeBucket()), CREDENTIALS));
  for (const [key, bytes] of files) await disk.put(key, bytes, 'image/png');
});

async function expectAllIn(store: ByteStore) {
  for (const [key, bytes] of files) expect(bytes.equals(await buffer(await store.get(key)))).toBe(true);
}

test('every file is copied to the other store and back, and no file twice', async () => {
  const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
  expect(await copyStore(disk, bucket)).toEqual({ copied: 5, bytes, there: 0, differ: [] });
  await expectAllIn(bucket);
  expect(await copyStore(disk, bucket)).toMatchObject({ copied: 0, there: 5 });
  const empty = createLocalStore(await mkdtemp(join(tmpdir(), 'pomona-copy-')));
  expect(await copyStore(bucket, empty)).toMatchObject({ copied: 5, bytes });
  await expectAllIn(empty);
  expect(await empty.identity()).not.toBe(await disk.identity());
});

test('a copy that was stopped has closed its files and can be continued', async () => {
  let underWay = 0;
  const sources: Readable[] = [];
  const read = async (key: string) => {
    const source = await disk.get(key);
    sources.push(source);
    return source;
  };
  const stopped = copyStore(
    { ...disk, get: read },
    {
      ...bucket,
      async put(key, body, type) {
        if (key.includes('2')) throw new Error('unplugged');
        underWay++;
        return bucket.put(key, body, type).finally(() => underWay--);
      },
    },
  );
  await expect(stopped).rejects.toThrow('unplugged');
  expect(underWay).toBe(0);
  expect(sources.filter(({ destroyed }) => !destroyed)).toEqual([]);
  const { copied, there } = await copyStore(disk, bucket);
  expect(copied + there).toBe(5);
  expect(copied).toBeGreaterThanOrEqual(1);
  await expectAllIn(bucket);
});

test('files that differ are reported and left alone: by size always, by content with recheck', async () => {
  await bucket.put('result/0.png', randomBytes(11), 'image/png');
  await bucket.put('result/1.png', randomBytes(300_000), 'image/png');
  expect(await copyStore(disk, bucket)).toMatchObject({ copied: 3, there: 1, differ: ['result/0.png'] });
  const { differ } = await copyStore(disk, bucket, { recheck: true });
  expect(differ.sort()).toEqual(['result/0.png', 'result/1.png']);
  expect(await bucket.head('result/0.png')).toMatchObject({ bytes: 11 });
});

test('a different file that appears in the target during the copy ends the copy with an error', async () => {
  const late: ByteStore = {
    ...bucket,
    async put(key, body, type) {
      await bucket.put(key, randomBytes(10), type);
      return bucket.put(key, body, type);
    },
  };
  await expect(copyStore(disk, late)).rejects.toMatchObject({ code: 'precondition_failed' });
});

test('a file that changes in transit is reported and deleted from the target', async () => {
  const lossy: ByteStore = {
    ...bucket,
    async put(key, body, type) {
      const bytes = await buffer(body as never);
      if (key === 'result/1.png') bytes[7]! ^= 1;
      return bucket.put(key, bytes, type);
    },
  };
  expect(await copyStore(disk, lossy)).toMatchObject({ copied: 4, differ: ['result/1.png'] });
  expect(await bucket.head('result/1.png')).toBeNull();
});

test('a file of which only a part was read is reported and not kept in the target', async () => {
  const cut: ByteStore = {
    ...disk,
    get: async key => (key === 'result/1.png' ? disk.get(key, { start: 0, end: 99_999 }) : disk.get(key)),
  };
  expect(await copyStore(cut, bucket)).toMatchObject({ copied: 4, differ: ['result/1.png'] });
  expect(await bucket.head('result/1.png')).toBeNull();
});

test('files that grow or are deleted during the copy do not end it', async () => {
  await appendFile(join(dir, 'result/4.png'), 'more');
  const leaving: ByteStore = {
    ...disk,
    get: async (key, range) => {
      if (key === 'result/0.png') await disk.delete(key);
      return disk.get(key, range);
    },
  };
  expect(await copyStore(leaving, bucket)).toMatchObject({ copied: 4, there: 0, differ: [] });
  expect(await bucket.head('result/0.png')).toBeNull();
});
