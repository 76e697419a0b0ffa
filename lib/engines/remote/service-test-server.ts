import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';

/** A test double of a service. */
export interface TestService {
  url: string;
  /** Restarts the server at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server that responds with `answer` to `<method> <path>`; `stopped` is called when it closes. */
export async function startTestService(
  answer: (request: Request, route: string) => Promise<Response>,
  stopped: () => void,
): Promise<TestService> {
  const listener = getRequestListener(
    request => answer(request, `${request.method} ${new URL(request.url).pathname}`),
    {
      overrideGlobalObjects: false,
      errorHandler: error => new Response(String(error), { status: 500 }),
    },
  );
  const server = createServer((asked, outgoing) => void listener(asked, outgoing));
  const listen = async (port: number) => once(server.listen(port, '127.0.0.1'), 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close().closeAllConnections();
    stopped();
    await closed;
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, restart: async () => (await close(), void (await listen(port))), close };
}

export const json = (body: unknown, status = 200): Response => Response.json(body, { status });

export const streamOf = (
  bytes: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(bytes, { objectMode: false })) as ReadableStream<Uint8Array>;

/** Returns the origin that the client used, even through the fault server. */
export const originOf = (request: Request): string =>
  `http://${request.headers.get('x-forwarded-host') ?? request.headers.get('host')}`;
