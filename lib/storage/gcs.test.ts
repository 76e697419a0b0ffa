import { randomBytes, randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { isOutage } from '#lib/outage';
import { StartError } from '#lib/start-error';
import { createBucketAccess } from '#lib/storage/bucket-access';
import { createBucketStore, PART_BYTES, type Bucket } from '#lib/storage/bucket';
import { testClientAccess } from '#lib/storage/access-compliance';
import { testStorage } from '#lib/storage/compliance';
import { gcsBucket } from '#lib/storage/gcs';
import { startGcsServer } from '#lib/storage/gcs-test-server';
import { credentialsOfKeyFile, credentialsOfMachine } from '#lib/storage/google-credentials';
import { parseStorageUrl, type GcsLocation } from '#lib/storage-url';

const server = await startGcsServer();
afterAll(() => server.close());

const make = async (credentials = credentialsOfKeyFile(server.keyFile)) => {
  const bucket = gcsBucket(parseStorageUrl(server.makeBucket()) as GcsLocation, credentials);
  return { bytes: createBucketStore(bucket), access: createBucketAccess(bucket) };
};

testStorage('gcs', async () => (await make()).bytes);
testClientAccess('gcs', make);
testClientAccess('gcs from a machine at Google', () => make(credentialsOfMachine(server.origin, server.origin)));

const folder = mkdtempSync(join(tmpdir(), 'pomona-gcs-'));
afterAll(() => rmSync(folder, { recursive: true }));
const ACCOUNT = JSON.parse(readFileSync(server.keyFile, 'utf8')) as Record<string, string>;

function fileOf(text: string): string {
  const path = join(folder, randomUUID());
  writeFileSync(path, text);
  return path;
}

const ticket = () => ({ contentType: 'image/png', maxBytes: 100, expiresAt: new Date(Date.now() + 60_000) });

test('a signed PUT that exceeds its size limit is refused by the store', async () => {
  const { bytes, access } = await make();
  const { url, method, headers } = await access.signPut('upload/a.png', ticket());
  expect((await fetch(url, { method, headers, body: randomBytes(101) })).status).toBe(400);
  expect(await bytes.head('upload/a.png')).toBeNull();
  expect((await fetch(url, { method, headers, body: randomBytes(100) })).status).toBe(200);
});

test('a signed GET answers with a file name that has non-ASCII characters', async () => {
  const { bytes, access } = await make();
  await bytes.put('result/a.png', randomBytes(10), 'image/png');
  const named = `attachment; filename*=UTF-8''caf%C3%A9%20%282%29.png`;
  const headers = { 'content-type': 'image/png', 'content-disposition': named, 'cache-control': 'private' };
  const { expiresAt } = ticket();
  const answer = await fetch(await access.signGet!('result/a.png', { headers, expiresAt }));
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, named]);
});

test('bytes that change in transit are refused', async () => {
  const bucket = gcsBucket(parseStorageUrl(server.makeBucket()) as GcsLocation, credentialsOfKeyFile(server.keyFile));
  const send: Bucket['send'] = asked => bucket.send({ ...asked, ...(asked.body && { body: 'other bytes' }) });
  const put = createBucketStore({ ...bucket, send }).put('result/a.png', randomBytes(10), 'image/png');
  await expect(put).rejects.toThrow('BadDigest');
});

test('an upload continues when the store has kept only half of a part', async () => {
  const { bytes } = await make();
  for (const length of [2 * PART_BYTES, 2 * PART_BYTES + 5]) {
    const body = randomBytes(length);
    const key = `result/${length}.mp4`;
    server.keep(0.5);
    await bytes.put(key, body, 'video/mp4');
    expect(body.equals(await buffer(await bytes.get(key)))).toBe(true);
  }
});

test('an upload fails and leaves no unfinished session when the store loses a part', async () => {
  const { bytes } = await make();
  async function* body() {
    yield randomBytes(2 * PART_BYTES);
    server.keep(0.1);
    yield randomBytes(5);
  }
  await expect(bytes.put('result/a.mp4', body(), 'video/mp4')).rejects.toThrow('lost a part');
  expect(server.unfinished()).toBe(0);
});

test('a busy store is retried, and the upload leaves no unfinished session', async () => {
  const { bytes } = await make();
  server.failNext(2);
  await bytes.put('result/a.png', randomBytes(10), 'image/png');
  expect(server.unfinished()).toBe(0);
});

test('a store that stays busy is an outage, and so is a failing request for a token, an email or a signature', async () => {
  const { bytes } = await make();
  const ofFile = credentialsOfKeyFile(server.keyFile);
  const ofMachine = credentialsOfMachine(server.origin, server.origin);
  const { access } = await make(ofMachine);
  const headers = { 'content-type': 'image/png', 'content-disposition': 'inline', 'cache-control': 'private' };
  const expiresAt = new Date(Date.now() + 86_400_000);
  const link = () => access.signGet!('result/b.png', { headers, expiresAt });
  server.failNext(1_000);
  const refused: unknown = await bytes.put('result/b.png', randomBytes(10), 'image/png').catch(error => error);
  const asked = [ofFile.token(), ofMachine.email(), link()];
  const unknown: unknown[] = await Promise.all(asked.map(one => one.catch(error => error)));
  server.failNext(0);
  expect(String(refused)).toContain('answered 503');
  for (const error of unknown) expect(String(error)).toContain('Google answered 503');
  for (const error of [refused, ...unknown]) expect(isOutage(error)).toBe(true);
  expect(await ofFile.token()).toMatch(/^ya29\./);
  expect(await ofMachine.email()).toContain('@');
  expect(await link()).toContain('X-Goog-Signature=');
});

test('a machine that is not at Google is told to set a key file', async () => {
  const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND metadata.google.internal'), { code: 'ENOTFOUND' });
  const fail = (_host: string, _options: object, done: (error: Error) => void) => done(unknown);
  const lookUp = vi.spyOn(dns, 'lookup').mockImplementation(fail as never);
  onTestFinished(() => lookUp.mockRestore());
  const { email, token } = credentialsOfMachine();
  for (const asked of [email(), token()])
    await expect(asked).rejects.toThrow(/^GOOGLE_APPLICATION_CREDENTIALS must name .*metadata\.google\.internal/);
});

test.each([
  ['that is not there', join(folder, 'nope'), 'ENOENT: no such file'],
  ['that is no JSON', fileOf('a key'), 'it is no JSON'],
  ['of a person', fileOf(JSON.stringify({ type: 'authorized_user' })), 'its type, client_email'],
  ['without a key', fileOf(JSON.stringify({ ...ACCOUNT, private_key: 'none' })), 'its private_key cannot be used'],
])('a key file %s is reported with the name of its setting', (_, path, reason) => {
  expect(() => credentialsOfKeyFile(path)).toThrow(StartError);
  expect(() => credentialsOfKeyFile(path)).toThrow(/^GOOGLE_APPLICATION_CREDENTIALS must name/);
  expect(() => credentialsOfKeyFile(path)).toThrow(reason);
});

test('a token is requested once and reused until shortly before its expiry', async () => {
  const credentials = credentialsOfKeyFile(server.keyFile);
  const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => credentials.token()));
  server.failNext(9);
  expect(await credentials.token()).toBe(first);
  expect(new Set(others)).toEqual(new Set([first]));
  // tokens last an hour
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 56 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  await expect(credentials.token()).rejects.toThrow('503');
  server.failNext(0);
  await credentials.token();
});
