import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { createStaticFiles } from '#lib/http/static-files';
import { compressBuild } from '#lib/http/compress-build';

const SCRIPT = 'const orchard = "apple";\n'.repeat(2_000);

test('a build script is sent with Brotli and cached for a year, and any other request is passed on to Next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pomona-static-'));
  await mkdir(join(folder, 'chunks'));
  await writeFile(join(folder, 'chunks/a.js'), SCRIPT);
  await compressBuild(folder);
  const files = createStaticFiles(folder);
  const server = createServer(
    (incoming, outgoing) => files(incoming, outgoing) || outgoing.end(`Next: ${incoming.url}`),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = async (path: string, encoding = 'gzip, br') => {
    const answer = await request(base + path, { headers: { 'accept-encoding': encoding } });
    return { headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
  };

  const { headers, body } = await get('/_next/static/chunks/a.js');
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': expect.stringMatching(/^text\/javascript/),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  });
  expect(brotliDecompressSync(body).toString()).toBe(`//# allFunctionsCalledOnLoad\n${SCRIPT}`);
  // a server may ignore a range and send the whole file
  const asked = { 'accept-encoding': 'br', range: 'bytes=10-5' };
  const whole = await request(`${base}/_next/static/chunks/a.js`, { headers: asked });
  expect(whole.statusCode).toBe(200);
  expect(Buffer.from(await whole.body.arrayBuffer())).toEqual(body);
  const head = await request(`${base}/_next/static/chunks/a.js`, { method: 'HEAD', headers: asked });
  expect(head.headers['content-length']).toBe(String(body.length));

  for (const [path, encoding] of [
    ['/_next/static/chunks/a.js', 'gzip'],
    ['/_next/static/chunks/a.js', 'gzip, br;q=0'],
    ['/_next/static/chunks/b.js', 'br'],
    ['/_next/static/../secret.js', 'br'],
    ['/_next/static/chunks/%2e%2e/%2e%2e/secret.js', 'br'],
    ['/docs', 'br'],
  ] as const) {
    expect((await get(path, encoding)).body.toString()).toMatch(/^Next: \//);
  }
  server.close();
});

test.runIf(process.platform === 'linux')(
  'a client that disconnects while a script is sent leaves no file open',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pomona-static-'));
    await writeFile(join(folder, 'large.js.br'), randomBytes(8_000_000));
    const files = createStaticFiles(folder);
    const server = createServer((incoming, outgoing) => void files(incoming, outgoing));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const answered = Array.from({ length: 5 }, async () => {
      const socket = connect(port, '127.0.0.1');
      const closed = new Promise(done => server.once('connection', at => at.once('close', done)));
      socket.write('GET /_next/static/large.js HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n');
      await once(socket, 'readable');
      socket.destroy();
      await closed;
    });
    await Promise.all(answered);
    const open = await Promise.all(
      (await readdir('/proc/self/fd')).map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    expect(open.filter(path => path.startsWith(folder))).toEqual([]);
    server.close();
  },
);
