import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  request as send,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { db } from '#lib/db/client';
import { accounts } from '#lib/db/schema';
import { useOwnDatabase } from '#lib/db/test-database';
import { keepSource } from '#lib/http/raw-body';
import { sendFile } from '#lib/http/send-file';
import type { Handler } from '#lib/http/route';
import { newId } from '#lib/ids';

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  error: { code: string; message: string } | undefined;
}

/** Starts the media route behind a real socket, with its own database, data folder and account. */
export async function startMediaServer() {
  await useOwnDatabase();
  process.env.DATA_DIR = await mkdtemp(join(tmpdir(), 'pomona-media-'));
  process.env.LOG_LEVEL = 'silent';
  const route: Record<string, Handler> = await import('../../app/media/[...key]/route.ts');
  const listener = getRequestListener(async (request, { incoming, outgoing }) => {
    keepSource(request, incoming as IncomingMessage);
    const response = await route[request.method]!(request, { params: Promise.resolve({}) });
    return (await sendFile(response, outgoing as ServerResponse)) ? RESPONSE_ALREADY_SENT : response;
  });
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise(listening => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const accountId = newId();
  await db()
    .insert(accounts)
    .values({ id: accountId, email: `${randomUUID()}@example.com` });

  /** Sends one request; the path is sent as it is, neither decoded nor normalised. */
  const ask = (method: string, path: string, options: RequestOptions & { body?: Uint8Array } = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { body, ...rest } = options;
      const outgoing = send({ port, host: '127.0.0.1', method, path, agent: false, ...rest }, async incoming => {
        const bytes = await buffer(incoming).catch(reject);
        if (!bytes) return;
        const { statusCode: status = 0, headers } = incoming;
        const error =
          headers['content-type']?.startsWith('application/json') && bytes.length
            ? JSON.parse(String(bytes)).error
            : undefined;
        resolve({ status, headers, body: bytes, error });
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });

  return { ask, port, server, accountId };
}
