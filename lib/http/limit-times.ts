import type { IncomingMessage, Server } from 'node:http';
import { env } from '#lib/env';
import { noteLimit } from '#lib/limits';

export const expectsBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the request is a signed PUT, which may take long. */
export const isUpload = ({ method, url }: IncomingMessage): boolean =>
  method === 'PUT' && url?.startsWith('/media/') === true;

/** Time for a file to arrive, equal to the validity of an upload URL: 100 MB may take a while. */
const FILE_MS = 900_000;

/** Closes requests that take too long to arrive, with 408. Responses have no such limit. */
export function limitTimes(server: Server): void {
  const { LIMIT_HEADER_SECONDS, LIMIT_BODY_SECONDS } = env();
  server.headersTimeout = LIMIT_HEADER_SECONDS * 1000;
  server.requestTimeout = Math.max(FILE_MS, server.headersTimeout);
  server.on('clientError', (error: NodeJS.ErrnoException) => {
    // apart from files that take over 15 minutes, Node itself times out only late headers
    if (error.code === LATE && !(error instanceof LateRequest)) noteLimit('LIMIT_HEADER_SECONDS');
  });
  server.on('request', (incoming, outgoing) => {
    if (!expectsBody(incoming)) return;
    let overdue: NodeJS.Timeout | undefined;
    const begin = () => {
      overdue = setTimeout(() => {
        // a body that has arrived may wait to be read
        if (incoming.complete) return;
        noteLimit('LIMIT_BODY_SECONDS');
        if (outgoing.headersSent) incoming.socket.destroy();
        else server.emit('clientError', new LateRequest(), incoming.socket);
      }, LIMIT_BODY_SECONDS * 1000);
    };
    // a file has more time, but not once it has been refused
    if (isUpload(incoming)) outgoing.once('finish', () => incoming.complete || begin());
    else begin();
    incoming.once('close', () => clearTimeout(overdue));
  });
}

/** Error code with which Node reports a request that overruns its time. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

class LateRequest extends Error {
  code = LATE;
}
