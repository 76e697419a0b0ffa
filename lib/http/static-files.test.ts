import { once } from 'node:events';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { createStaticFiles } from '#lib/http/static-files';
import { compressBuild } from '#lib/http/compress-build';

const SCRIPT = 'const orchard = "apple";\n'.repeat(2_000);

test('a script of the build comes in its shortest form, for a year; whoever does not take that form gets what Next sends', async () => {
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
    'cache-control': 'public,max-age=31536000,immutable',
    vary: 'Accept-Encoding',
  });
  expect(brotliDecompressSync(body).toString()).toBe(`//# allFunctionsCalledOnLoad\n${SCRIPT}`);

  for (const [path, encoding] of [
    ['/_next/static/chunks/a.js', 'gzip'],
    ['/_next/static/chunks/b.js', 'br'],
    ['/_next/static/../secret.js', 'br'],
    ['/_next/static/chunks/%2e%2e/%2e%2e/secret.js', 'br'],
    ['/docs', 'br'],
  ] as const) {
    expect((await get(path, encoding)).body.toString()).toMatch(/^Next: \//);
  }
  server.close();
});
