import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as Listening } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerClientErrors } from '#lib/http/client-error';
import { limitSockets } from '#lib/http/limit-sockets';
import { limitTimes } from '#lib/http/limit-times';
import { StartError } from '#lib/start-error';

export interface WebServer {
  server: Server;
  /** Starts to answer requests, including those that have waited. */
  serve(listener: RequestListener): void;
  /** Accepts no new connections, lets running requests finish, and closes those that take too long. */
  close(): Promise<void>;
}

const DRAIN_MS = 25_000;
/** Milliseconds for which idle connections are kept while draining: active clients get `Connection: close` first. */
const TELL_MS = 300;

/** Listens immediately, so that a taken port is reported before anything else starts. */
export async function openWebServer(host: string, port: number, webSockets = false): Promise<WebServer> {
  let listener: RequestListener | undefined;
  const { promise: ready, resolve: serve } = Promise.withResolvers<RequestListener>();
  const server = createServer({
    // how often Node checks the limits of `limitTimes`
    connectionsCheckingInterval: 1_000,
    // longer than proxies keep connections, or they would reuse ones that are closed here
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // a missing Host header is refused later, in the envelope
    requireHostHeader: false,
    // only development uses WebSockets; elsewhere upgrade offers, such as to HTTP/2, are ignored
    shouldUpgradeCallback: () => webSockets,
  });
  // inactivity timeout, longer than the longest poll
  server.timeout = 90_000;
  limitSockets(server);
  limitTimes(server);
  // Node handles `100-continue` itself; any other expectation is ignored
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  server.on('request', async (incoming, outgoing) => (listener ?? (await ready))(incoming, outgoing));
  answerClientErrors(server);
  // upgraded sockets never end by themselves, and the server no longer closes them
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (_incoming, socket) => {
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => failed(cannotListen(error, host, port)));
    server.listen(port, host, listening);
  });
  return {
    server,
    serve(given) {
      listener = given;
      serve(given);
    },
    close: () => drain(server, upgraded),
  };
}

function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(`Port ${port} is taken. Stop what uses it, or set PORT to another one.`, { cause: error });
  if (error.code === 'EACCES')
    return new StartError(`Port ${port} needs privileges. Set PORT to one above 1023.`, { cause: error });
  return new StartError(`Cannot listen on HOST ${host}, PORT ${port}: ${error.message}.`, { cause: error });
}

async function drain(server: Server, upgraded: Set<Duplex>): Promise<void> {
  // an HTTP server's own `close` also closes idle connections immediately, even if a request is on its way
  const closed = new Promise<void>(done => Listening.prototype.close.call(server, () => done()));
  server.prependListener('request', (_incoming, outgoing) => outgoing.setHeader('connection', 'close'));
  for (const socket of upgraded) socket.destroy();
  const begun = performance.now();
  const sweep = setInterval(() => {
    if (performance.now() - begun > TELL_MS) server.closeIdleConnections();
  }, 50);
  const overdue = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(overdue);
}
