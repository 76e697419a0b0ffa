import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { isOutage } from '#lib/outage';
import { createBucketStore, PART_BYTES } from '#lib/storage/bucket';
import { s3Bucket } from '#lib/storage/s3';
import { CREDENTIALS, locationOf } from '#lib/storage/s3-test-server';

const tries: Socket[] = [];
const server = createServer(socket => void tries.push(socket.on('error', () => {})));

// fake timers for all tests, because the timers of undici keep the clock that they began with
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  for (const socket of tries.splice(0)) socket.destroy();
});

afterAll(() => {
  vi.useRealTimers();
  server.close();
});

/** Begins to put a file of `length` bytes; returns the server side of its connection. */
async function begin(length: number) {
  const { port } = server.address() as AddressInfo;
  const bucket = s3Bucket(locationOf(`s3://bucket/media?endpoint=http://127.0.0.1:${port}`), CREDENTIALS);
  const arrived = once(server, 'connection');
  const put = createBucketStore(bucket).put('result/a.png', Buffer.alloc(length), 'image/png');
  const failed = put.catch((error: unknown) => error);
  const [socket] = (await arrived) as [Socket];
  return { socket, failed };
}

test.each([10, PART_BYTES])(
  'a store that does not answer to %i bytes is an outage after a minute, without a second try',
  async length => {
    const { socket, failed } = await begin(length);
    let received = 0;
    await new Promise<void>(all => socket.on('data', chunk => (received += chunk.length) > length && all()));
    await vi.advanceTimersByTimeAsync(70_000);
    expect(isOutage(await failed)).toBe(true);
    expect(tries).toHaveLength(1);
  },
);

test('a store that receives a long body slowly does not count as silent', async () => {
  const { socket, failed } = await begin(PART_BYTES);
  let received = '';
  for (const half of [PART_BYTES / 2, PART_BYTES]) {
    await vi.advanceTimersByTimeAsync(40_000);
    for await (const chunk of socket.iterator({ destroyOnReturn: false }))
      if ((received += String(chunk)).length > half) break;
  }
  // stores refuse bodies without a content length
  expect(received.slice(0, 2_000)).toContain(`\r\ncontent-length: ${PART_BYTES}\r\n`);
  socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  expect(String(await failed)).toContain('answered 403');
});
