import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as Listening } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerClientErrors } from '#lib/http/client-error';
import { limitSockets } from '#lib/http/limit-sockets';
import { limitTimes } from '#lib/http/limit-times';
import { StartError } from '#lib/start-error';

export interface WebServer {
  server: Server;
  /** From now on requests are answered; those that came before have waited. */
  serve(listener: RequestListener): void;
  /** Takes no new requests, lets running ones finish, and hangs up on those that do not. */
  close(): Promise<void>;
}

const DRAIN_MS = 25_000;
/** Connections that rest are kept for that long: who is busy on one is told on it, with the next answer, to open another elsewhere. */
const TELL_MS = 300;

/** Takes the port at once, so that a taken one is known before anything else is started. */
export async function openWebServer(host: string, port: number, webSockets = false): Promise<WebServer> {
  let listener: RequestListener | undefined;
  const { promise: ready, resolve: serve } = Promise.withResolvers<RequestListener>();
  const server = createServer({
    // how often the times of limitTimes are looked at
    connectionsCheckingInterval: 1_000,
    // longer than a proxy in front keeps its connections, or it would meet closed ones
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // its absence is refused further on, in the envelope
    requireHostHeader: false,
    // only development has web sockets; elsewhere the offer of another protocol, as of HTTP/2, is passed over
    shouldUpgradeCallback: () => webSockets,
  });
  // silence; longer than the longest poll
  server.timeout = 90_000;
  limitSockets(server);
  limitTimes(server);
  // expectations are nothing to us but the one that Node itself meets
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  server.on('request', async (incoming, outgoing) => (listener ?? (await ready))(incoming, outgoing));
  answerClientErrors(server);
  // they never end by themselves, and are no longer the server's to close
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
  // takes no more connections; an HTTP server's own way also hangs up on those that rest, while a request is on its way there
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
