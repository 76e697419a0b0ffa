import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '#lib/errors';
import { baseHeaders } from '#lib/http/base-headers';

const ANSWERS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are over 16 kB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions of the body are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

/** Whether an answer is under way, in whose middle another one would be. */
const isAnswering = (socket: Duplex): boolean =>
  // oxlint-disable-next-line no-underscore-dangle -- Node itself asks in this way, and has no other
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;

/** Answers what is no HTTP at all in the envelope too, and hangs up. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) return socket.destroy();
    const [status, message] = ANSWERS[error.code ?? ''] ?? ['400 Bad Request', 'This is not a valid HTTP/1.1 request.'];
    const body = JSON.stringify({ error: new AppError('invalid_request', message).toWire() });
    const headers = {
      ...baseHeaders(randomUUID()),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    // whoever keeps sending must not keep the connection
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  });
}
