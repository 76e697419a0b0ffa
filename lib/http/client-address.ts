import type { IncomingMessage } from 'node:http';
import { env } from '#lib/env';

const HEADER = 'x-pomona-address';

/** Notes where a request comes from, over whatever the client wrote there itself. */
export function noteClientAddress(incoming: IncomingMessage): void {
  const { TRUST_PROXY } = env();
  const forwarded = String(incoming.headers['x-forwarded-for'] ?? '').split(',');
  // each trusted proxy added one at the end
  const told = TRUST_PROXY > 0 ? forwarded.at(-TRUST_PROXY)?.trim() : undefined;
  incoming.headers[HEADER] = told || incoming.socket.remoteAddress || 'unknown';
}

/** Where the request comes from, for limits. */
export const clientAddress = (request: Request): string => request.headers.get(HEADER) ?? 'unknown';
