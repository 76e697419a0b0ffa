import { randomBytes } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { encodeStill, muxVp8 } from '#lib/media/hostile-test-media';
import { measureRemoteVideo } from '#lib/media/measure-remote-video';
import { makeAv, makeWav } from '#lib/media/media-test-files';
import { makeCertificate } from '#lib/media/test-certificate';

process.env.LOG_LEVEL = 'silent';

/** A `free` box of eight megabytes, which players ignore. */
const free = Buffer.alloc(8_000_000);
free.writeUInt32BE(free.length);
free.write('free', 4);

const mp4 = await makeAv('mp4');
const late = await makeAv('mp4', { indexLast: true });
const indexAt = late.indexOf('moov') - 4;
const [key] = encodeStill(320, 240) as [Buffer];
const noise = Array.from({ length: 100 }, () => Buffer.concat([Buffer.from([1]), randomBytes(60_000)]));
const files: Record<string, Buffer> = {
  '/front.mp4': Buffer.concat([mp4, free]),
  '/end.mp4': Buffer.concat([late.subarray(0, indexAt), free, late.subarray(indexAt)]),
  '/film.webm': await muxVp8(
    noise.map((piece, index) => (index % 10 ? piece : key)),
    10,
    [320, 240],
  ),
  '/sound.wav': makeWav(1),
  '/page': Buffer.from('<html>'),
  '/nothing': Buffer.alloc(0),
  '/cut.mp4': mp4.subarray(0, 900),
};

let sent = 0;
const certificate = makeCertificate(['public.test']);
const server = createServer(certificate, (request, answer) => {
  const [path = '', way] = request.url!.split('?');
  if (way === 'moved') return void answer.writeHead(302, { location: path }).end();
  const file = files[path];
  if (!file) return void answer.writeHead(404).end();
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  if (first === undefined || way === 'whole') {
    sent += file.length;
    return void answer.end(file);
  }
  const part = file.subarray(Number(first), Number(last) + 1);
  sent += part.length;
  // no later range gets a response
  if (way === 'stuck' && first !== '0') return;
  const total = way === 'unknown' ? '*' : way === 'huge' ? 200_000_000 : file.length;
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${total}`;
  answer.writeHead(206, { 'content-range': range }).end(way === 'short' && first !== '0' ? part.subarray(1) : part);
}).listen(0, '127.0.0.1');
await new Promise(listening => server.once('listening', listening));
const { port } = server.address() as AddressInfo;
afterAll(() => void server.close().closeAllConnections());
beforeEach(() => void (sent = 0));

const network = {
  resolve: async () => ['127.0.0.1'],
  isAllowed: (address: string) => address === '127.0.0.1',
  ca: certificate.cert,
};
const measure = (path: string, signal?: AbortSignal) =>
  measureRemoteVideo(`https://public.test:${port}${path}`, { maxBytes: 100_000_000, network, signal });
const second = expect.closeTo(1, 0);

test.each([
  ['/front.mp4', { width: 64, height: 48, duration: second }],
  ['/end.mp4', { width: 64, height: 48, duration: second }],
  ['/film.webm', { width: 320, height: 240, duration: expect.closeTo(10, 0) }],
  ['/front.mp4?moved', { width: 64, height: 48, duration: second }],
])('only the head and the index of %s are fetched', async (path, facts) => {
  expect(await measure(path)).toMatchObject(facts);
  expect(sent).toBeLessThan(1_500_000);
});

test('a video with its index at the front is measured from its first 512 KiB', async () => {
  await measure('/front.mp4');
  expect(sent).toBe(524_288);
});

test('a server without support for ranges sends the whole file', async () => {
  expect(await measure('/end.mp4?whole')).toMatchObject({ width: 64, duration: second });
  expect(sent).toBe(files['/end.mp4']!.length);
});

test.each([
  ['/missing', 'Its server answered 404'],
  ['/front.mp4?huge', 'larger than 100,000,000 bytes'],
  ['/front.mp4?unknown', 'Its server answered 206'],
  ['/end.mp4?short', 'The connection to its server failed'],
  ['/sound.wav', 'this field takes an MP4, MOV or WebM video'],
  ['/page', 'not a JPEG'],
  ['/nothing?whole', 'The file is empty'],
  ['/cut.mp4', 'has no video track'],
])('%s is refused with a message that says why', async (path, message) => {
  await expect(measure(path)).rejects.toMatchObject({
    name: 'UnusableMedia',
    message: expect.stringContaining(message),
  });
});

test('an abort by the client ends a measurement, even in the middle of the file', async () => {
  const leave = new AbortController();
  const pending = measure('/end.mp4?stuck', leave.signal);
  await expect.poll(() => sent).toBeGreaterThan(262_144);
  leave.abort(new Error('gone'));
  await expect(pending).rejects.toThrow('gone');
});
