import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { env } from '#lib/env';
import { storage, storesOverlap } from '#lib/storage/store';
import { singletons } from '#lib/singleton';

const ticket = () => ({ contentType: 'image/png', maxBytes: 100, expiresAt: new Date(Date.now() + 60_000) });
const bucket = {
  STORAGE_URL: 's3://media/eu?endpoint=http://127.0.0.1:1&public_endpoint=https://s3.example',
  MEDIA_DELIVERY: 'redirect',
  AWS_ACCESS_KEY_ID: 'key',
  AWS_SECRET_ACCESS_KEY: 'not to be seen',
} as const;

beforeEach(async () => {
  singletons.delete('storage');
  Object.assign(env(), {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'pomona-store-')),
    BASE_URL: 'https://a.example',
    MEDIA_URL: 'https://b.example',
    STORAGE_URL: undefined,
    MEDIA_DELIVERY: 'proxy',
  });
});

test('media URLs may have an origin of their own, while signed uploads use the main one', async () => {
  expect(storage().url('result/a.png')).toBe('https://b.example/media/result/a.png');
  expect((await storage().signPut('upload/a.png', ticket())).url).toMatch(
    /^https:\/\/a\.example\/media\/upload\/a\.png\?expires=\d+&signature=/,
  );
  expect(storage().signGet).toBeUndefined();
  expect(storage().origin).toBeNull();
});

test('with a bucket, clients upload to and read from its public address, and media URLs stay the same', async () => {
  Object.assign(env(), bucket);
  expect(storage().url('result/a.png')).toBe('https://b.example/media/result/a.png');
  expect(storage().origin).toBe('https://s3.example');
  const put = await storage().signPut('upload/a.png', ticket());
  expect(put.url).toMatch(/^https:\/\/s3\.example\/media\/eu\/upload\/a\.png\?.*X-Amz-Signature=[0-9a-f]{64}$/);
  expect(put.url).not.toContain('not');
  const headers = { 'content-type': 'image/png', 'content-disposition': 'inline', 'cache-control': 'private' };
  const get = await storage().signGet!('result/a.png', { headers, expiresAt: ticket().expiresAt });
  expect(get).toMatch(/^https:\/\/s3\.example\/media\/eu\/result\/a\.png\?/);
  expect(get).not.toContain('not');
  expect(storage().verifyPut).toBeUndefined();
});

test('with a bucket that clients cannot reach, uploads and reads go through this deployment', async () => {
  Object.assign(env(), bucket, { MEDIA_DELIVERY: 'proxy' });
  expect((await storage().signPut('upload/a.png', ticket())).url).toMatch(/^https:\/\/a\.example\/media\//);
  expect(storage().signGet).toBeUndefined();
  expect(storage().id).toBe('s3');
});

test('a bucket without its access keys is refused', () => {
  Object.assign(env(), bucket, { AWS_ACCESS_KEY_ID: undefined });
  expect(() => storage()).toThrow('AWS_ACCESS_KEY_ID');
});

test.each([
  ['file:///srv/media', 'file:///srv/media/', true],
  ['file:///srv/media', 'file:///srv/media/backup', true],
  ['file:///srv', 'file:///srv/media', true],
  ['file:///srv/media', 'file:///srv/media2', false],
  ['s3://bucket', 's3://bucket/copy', true],
  ['s3://bucket/a', 's3://bucket/b', false],
  ['s3://bucket?endpoint=http://one:9000', 's3://bucket?endpoint=http://two:9000', false],
])('the stores %s and %s overlap: %s', (one, other, same) => {
  expect([storesOverlap(one, other), storesOverlap(other, one)]).toEqual([same, same]);
});

test('a deployment without STORAGE_URL uses the media folder of DATA_DIR', () => {
  expect(storesOverlap(undefined, `file://${env().DATA_DIR}/media/copy`)).toBe(true);
});
