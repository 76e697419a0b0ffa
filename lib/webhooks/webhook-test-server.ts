import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';

interface Received {
  path: string;
  id: string;
  headers: Record<string, string>;
  body: string;
}

/** A test server that receives and records webhook messages. */
export interface Receiver {
  /** Address of the server, without a trailing slash. */
  url: string;
  received: Received[];
  /** Responses by path; 204 by default. */
  answers: Record<string, (answer: ServerResponse) => void>;
  /** Resolves when `count` messages have arrived, only counting those to `path` if given. */
  came(count: number, path?: string): Promise<void>;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver['answers'] = {};
  const server = createServer((request, answer) => void take(request, answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    received,
    answers,
    async came(count, path) {
      const fitting = () => received.filter(one => path === undefined || one.path === path).length;
      while (fitting() < count) await once(server, 'taken');
    },
    async close() {
      server.closeAllConnections();
      await new Promise(closed => server.close(closed));
    },
  };

  async function take(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url!;
    const headers = request.headers as Record<string, string>;
    received.push({ path, headers, id: headers['webhook-id']!, body: Buffer.concat(chunks).toString() });
    server.emit('taken');
    if (answers[path]) answers[path](answer);
    else answer.writeHead(204).end();
  }
}

/** Returns the payload of a message; throws when the Standard Webhooks library does not accept its signature. */
export const verified = ({ body, headers }: Received, secret: string) =>
  new Verifier(secret).verify(body, headers) as { type: string; timestamp: string; data: Record<string, unknown> };
