import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { isOutage } from '#lib/outage';
import { createBucketAccess } from '#lib/storage/bucket-access';
import { createBucketStore, PART_BYTES, type Bucket } from '#lib/storage/bucket';
import { testClientAccess } from '#lib/storage/access-compliance';
import { testStorage } from '#lib/storage/compliance';
import { readXml } from '#lib/storage/bucket-answer';
import { newMediaKey } from '#lib/storage/media-key';
import { s3Bucket } from '#lib/storage/s3';
import { CREDENTIALS, locationOf, startS3Server } from '#lib/storage/s3-test-server';

const server = await startS3Server();
afterAll(() => server.close());

const make = async (parameters = '', credentials = CREDENTIALS) => {
  const bucket = s3Bucket(locationOf((await server.makeBucket()) + parameters), credentials);
  return { bytes: createBucketStore(bucket), access: createBucketAccess(bucket) };
};

testStorage('s3', async () => (await make()).bytes);
testClientAccess('s3', make);

test('the store refuses a wrong key or secret, and the error does not reveal the secret', async () => {
  for (const credentials of [
    { ...CREDENTIALS, secretAccessKey: 'a-wrong-secret' },
    { ...CREDENTIALS, accessKeyId: 'unknown' },
  ]) {
    const { bytes } = await make('', credentials);
    const refused = await bytes.put('result/a.png', randomBytes(10), 'image/png').catch((error: Error) => error);
    expect(refused).toBeInstanceOf(Error);
    expect((refused as Error).message).toMatch(
      /^the object store answered 403 to PUT .*(SignatureDoesNotMatch|InvalidAccessKeyId)/,
    );
    expect(String((refused as Error).stack)).not.toContain('a-wrong-secret');
    await expect(bytes.check()).rejects.toThrow('403');
  }
});

test('a busy store is retried', async () => {
  const { bytes } = await make();
  const body = randomBytes(9_000_000);
  server.failNext(2);
  await bytes.put('result/a.mp4', [body] as never, 'video/mp4');
  server.failNext(2);
  expect(body.equals(await buffer(await bytes.get('result/a.mp4')))).toBe(true);
});

test.each([500, 503, 429])(
  'a store that stays busy (%i) is an outage, reported with the message of the store',
  async status => {
    const { bytes } = await make();
    server.failNext(1_000, status);
    const refused: unknown = await bytes.head('result/a.png').catch(error => error);
    const written: unknown = await bytes.put('result/a.png', randomBytes(10), 'image/png').catch(error => error);
    server.failNext(0);
    expect(String(refused)).toContain(`answered ${status} to HEAD`);
    expect(String(written)).toMatch(/ to PUT .*: SlowDown: as a real store says/);
    for (const error of [refused, written]) expect(isOutage(error)).toBe(true);
  },
);

test.each(['content-length', 'etag'])('a HEAD answer without %s is treated as an outage', async header => {
  const bucket = s3Bucket(locationOf(await server.makeBucket()), CREDENTIALS);
  await createBucketStore(bucket).put('result/a.png', randomBytes(10), 'image/png');
  const send: Bucket['send'] = async asked => {
    const answer = await bucket.send(asked);
    return { ...answer, headers: { ...answer.headers, [header]: undefined } };
  };
  const found: unknown = await createBucketStore({ ...bucket, send })
    .head('result/a.png')
    .catch(error => error);
  expect(isOutage(found)).toBe(true);
});

test('a copy that reports an error after status 200 is an outage', async () => {
  const bucket = s3Bucket(locationOf(await server.makeBucket()), CREDENTIALS);
  await createBucketStore(bucket).put('upload/a.png', randomBytes(10), 'image/png');
  const failing: Bucket['send'] = async asked => {
    const answer = await bucket.send(asked);
    await answer.body.dump();
    answer.body.text = async () => '<Error><Code>InternalError</Code><Message>We failed.</Message></Error>';
    return answer;
  };
  const { accept } = createBucketAccess({ ...bucket, send: failing });
  const failed: unknown = await accept!('upload/a.png', 'upload/b.png').catch(error => error);
  expect(String(failed)).toContain('InternalError: We failed.');
  expect(isOutage(failed)).toBe(true);
});

test('the source stream is closed when the store cannot write', async () => {
  const { bytes } = await make('', { ...CREDENTIALS, secretAccessKey: 'a-wrong-secret' });
  const source = Readable.from([1, 2, 3].map(() => Buffer.alloc(PART_BYTES)));
  await expect(bytes.put('result/a.mp4', source, 'video/mp4')).rejects.toThrow('403');
  expect(source.destroyed).toBe(true);
});

test('an interrupted download continues where it stopped', async () => {
  const body = randomBytes(3_000_000);
  const address = await server.makeBucket();
  const cut = { left: 1 };
  const wire = createServer(near => {
    const far = connect(Number(new URL(server.origin).port), '127.0.0.1');
    near.on('error', () => {}).pipe(far);
    far.on('error', () => {}).pipe(near);
    let passed = 0;
    far.on('data', chunk => {
      passed += chunk.length;
      if (passed > 1_000_000 && cut.left-- > 0) near.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(wire, 'listening');
  const behind = address.replace(server.origin, `http://127.0.0.1:${(wire.address() as AddressInfo).port}`);
  const bytes = createBucketStore(s3Bucket(locationOf(behind), CREDENTIALS));
  await bytes.put('result/a.mp4', body, 'video/mp4');
  expect(body.equals(await buffer(await bytes.get('result/a.mp4')))).toBe(true);
  expect(cut.left).toBeLessThan(1);
  wire.close();
});

test.each(['', '&if_none_match=off'])(
  'an upload checks whether its file exists when the last answer is lost%s',
  async parameters => {
    const { bytes } = await make(parameters);
    const body = randomBytes(9_000_000);
    server.loseEnd(true);
    expect(await bytes.put('result/a.mp4', body, 'video/mp4')).toMatchObject({ bytes: body.length });
    expect(body.equals(await buffer(await bytes.get('result/a.mp4')))).toBe(true);
    server.loseEnd(false);
    const lost: unknown = await bytes.put('result/b.mp4', body, 'video/mp4').catch(error => error);
    expect(String(lost)).toContain('the last of media/result/b.mp4');
    expect(isOutage(lost)).toBe(true);
    await bytes.put('result/b.mp4', body, 'video/mp4');
  },
);

test('sweepUnfinished removes only old uploads of media below its own prefix', async () => {
  const address = await server.makeBucket();
  const bucket = s3Bucket(locationOf(address), CREDENTIALS);
  const other = createBucketStore(s3Bucket(locationOf(address.replace('/media', '/other')), CREDENTIALS));
  for (const key of [newMediaKey('result', 'video/mp4'), newMediaKey('preview', 'image/webp'), 'backup.tar']) {
    const begun = await bucket.send({ method: 'POST', name: `media/${key}`, query: { uploads: '' } });
    await begun.body.dump();
  }
  const bytes = createBucketStore(bucket);
  expect(await bytes.sweepUnfinished(new Date(Date.now() - 60_000))).toBe(0);
  expect(await other.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  expect(await bytes.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(2);
  expect(await bytes.sweepUnfinished(new Date(Date.now() + 60_000))).toBe(0);
  const left = await bucket.send({ method: 'GET', query: { uploads: '' } });
  expect((await readXml(left, 'the list')).all('Upload').map(({ Key }) => Key)).toEqual(['media/backup.tar']);
});

const digestOf = (part: Buffer) => hash('md5', part, 'base64');

test('each part is sent with its checksum, and the file keeps its content type', async () => {
  const bucket = s3Bucket(locationOf(await server.makeBucket()), CREDENTIALS);
  const body = randomBytes(9_000_000);
  server.takeAsked();
  await createBucketStore(bucket).put('result/a.mp4', body, 'video/mp4');
  const parts = [body.subarray(0, PART_BYTES), body.subarray(PART_BYTES)];
  expect(server.takeAsked()).toEqual([...parts.map(digestOf), 'POST']);
  const { headers } = await bucket.send({ method: 'HEAD', name: 'media/result/a.mp4' });
  expect(headers['content-type']).toBe('video/mp4');
});

test('an upload that breaks off is deleted after its parts in progress have ended', async () => {
  const { bytes } = await make();
  const parts = [randomBytes(PART_BYTES), randomBytes(PART_BYTES)];
  async function* body() {
    yield* parts;
    // the part in progress is refused once, and retried after a pause
    server.failNext(1);
    throw new Error('it broke off');
  }
  server.takeAsked();
  await expect(bytes.put('result/a.mp4', body(), 'video/mp4')).rejects.toThrow('it broke off');
  const [first, second] = parts.map(digestOf);
  expect(server.takeAsked()).toEqual([first, second, second, 'DELETE']);
});

test('a multipart file is not sent if the key exists, as some stores do not refuse it', async () => {
  const bucket = s3Bucket(locationOf(await server.makeBucket()), CREDENTIALS);
  const putParts = vi.fn(bucket.putParts);
  const bytes = createBucketStore({ ...bucket, putParts });
  await bytes.put('result/a.mp4', randomBytes(9_000_000), 'video/mp4');
  const again = bytes.put('result/a.mp4', randomBytes(9_000_000), 'video/mp4');
  await expect(again).rejects.toMatchObject({ code: 'precondition_failed' });
  expect(putParts).toHaveBeenCalledOnce();
});

test('a put that conflicts with another write of the same bytes succeeds if the file exists', async () => {
  const { bytes } = await make();
  const put = () => bytes.put('result/a.png', Buffer.from('the same'), 'image/png');
  const first = await put();
  server.failNext(1, 409);
  expect(await put()).toEqual(first);
});

test('a put that conflicts with a write still in progress raises StoreAway', async () => {
  const { bytes } = await make();
  server.failNext(1, 409);
  const put = () => bytes.put('result/a.png', Buffer.from('the same'), 'image/png');
  await expect(put()).rejects.toMatchObject({ name: 'StoreAway' });
  await put();
});

test('a short file is stored with a single request', async () => {
  const bucket = s3Bucket(locationOf(await server.makeBucket()), CREDENTIALS);
  const send = vi.fn(bucket.send);
  const bytes = createBucketStore({ ...bucket, send });
  const stored = await bytes.put('result/a.png', randomBytes(10), 'image/png');
  expect(send).toHaveBeenCalledOnce();
  expect(stored).toEqual(await bytes.head('result/a.png'));
});

test('a store without conditional writes also refuses a second file for a key', async () => {
  const { bytes } = await make('&if_none_match=off');
  await bytes.put('result/a.png', randomBytes(10), 'image/png');
  await expect(bytes.put('result/a.png', randomBytes(10), 'image/png')).rejects.toMatchObject({
    code: 'precondition_failed',
  });
});
