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

/** Somebody's server that takes messages, and keeps them. */
export interface Receiver {
  /** Its address, without a slash at the end. */
  url: string;
  received: Received[];
  /** How paths answer; without, 204. */
  answers: Record<string, (answer: ServerResponse) => void>;
  /** Resolves when so many came, for this path alone when it is given. */
  came(count: number, path?: string): Promise<void>;
  close(): Promise<void>;
}

export async function openReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver['answers'] = {};
  const server = createServer((request, answer) => void take(request, answer)).listen(0, host);
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

/** What a message says, once the library of Standard Webhooks has found it signed with the secret. */
export const verified = ({ body, headers }: Received, secret: string) =>
  new Verifier(secret).verify(body, headers) as { type: string; timestamp: string; data: Record<string, unknown> };
