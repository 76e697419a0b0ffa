import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, type RefusalCode } from '#lib/errors';
import { baseHeaders } from '#lib/http/base-headers';

const ANSWERS: Record<string, [status: string, message: string, code?: RefusalCode]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are over 16 kB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    '413 Payload Too Large',
    'The chunk extensions of the body are too long.',
    'request_too_large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};

const NOT_HTTP: [status: string, message: string, code?: RefusalCode] = [
  '400 Bad Request',
  'This is not a valid HTTP/1.1 request.',
];

/** Whether a response is in progress; an error response written then would land in the middle of it. */
const isAnswering = (socket: Duplex): boolean =>
  // oxlint-disable-next-line no-underscore-dangle -- Node itself checks this property and offers no public one
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;

/** Answers input that is not valid HTTP in the error envelope too, and closes the connection. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) return socket.destroy();
    const [status, message, code = 'invalid_request'] = ANSWERS[error.code ?? ''] ?? NOT_HTTP;
    const body = JSON.stringify({ error: new AppError(code, message).toWire() });
    const headers = {
      ...baseHeaders(randomUUID()),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    // destroyed, so that a client that keeps sending cannot keep the connection
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  });
}
