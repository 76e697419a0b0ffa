import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeImage } from '#lib/media/media-test-files';
import { makeCertificate } from '#lib/media/test-certificate';

/** An https server with media, on this machine. */
export interface MediaHost {
  /** URL of the server, without a trailing slash. */
  url: string;
  /** Requested paths, in order. */
  asked: string[];
  /** Resolves when this many requests have arrived. */
  came(count: number): Promise<void>;
  /** Resolves when the client of the second-to-last request to `/silent` disconnects. */
  left: Promise<void>;
  /** Makes `/silent` answer from now on. */
  speak(): void;
  /** Environment that a process needs to fetch from the server. */
  env: Record<string, string>;
  close(): Promise<void>;
}

type Answer = (answer: ServerResponse, request: IncomingMessage) => void;

export async function openMediaHost(): Promise<MediaHost> {
  const folder = mkdtempSync(join(tmpdir(), 'pomona-media-host-'));
  const picture = await makeImage(64, 48).png().toBuffer();
  const certificate = makeCertificate(['localhost']);
  writeFileSync(join(folder, 'ca.pem'), certificate.cert);
  const asked: string[] = [];
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  let speaks = false;
  const send: Answer = answer => answer.setHeader('content-type', 'image/png').end(picture);
  const pages: Record<string, Answer> = {
    '/picture.png': send,
    // client metadata of an OAuth app
    '/app.json': answer =>
      answer.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          client_id: `https://${answer.req.headers.host}/app.json`,
          client_name: 'Published Agent',
          redirect_uris: ['http://127.0.0.1/callback'],
        }),
      ),
    '/moved.json': answer => answer.writeHead(302, { location: '/app.json' }).end(),
    '/silent': answer => (speaks ? send(answer, answer.req) : answer.once('close', leave)),
    '/large': answer => answer.setHeader('content-length', '104857601').end('x'),
    '/text': answer => answer.setHeader('content-type', 'image/png').end('this is no picture at all'),
    '/inside': answer => answer.writeHead(302, { location: 'https://10.0.0.1/picture.png' }).end(),
    '/loop': answer => answer.writeHead(302, { location: '/loop' }).end(),
  };
  const server = createServer(certificate, (request, answer) => {
    asked.push(request.url!);
    server.emit('asked');
    const page = pages[request.url!];
    if (page) page(answer, request);
    else answer.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    asked,
    async came(count) {
      while (asked.length < count) await once(server, 'asked');
    },
    left,
    speak: () => void (speaks = true),
    env: { ALLOWED_PRIVATE_HOSTS: 'localhost', NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    async close() {
      server.closeAllConnections();
      await new Promise(closed => server.close(closed));
      rmSync(folder, { recursive: true });
    },
  };
}
