import type { IncomingMessage } from 'node:http';
import { noted } from '#lib/http/noted';

const sources = noted<Request, IncomingMessage>('source');

/** Remembers the incoming message that a request was made from. */
export const keepSource = (request: Request, incoming: IncomingMessage): void => void sources.set(request, incoming);

/** Whether this server itself serves the request; any other server compresses responses on its own. */
export const isDirect = (request: Request): boolean => sources.get(request) !== undefined;

/** Returns a request's body in chunks, without the copies of a web stream. Reading may stop without closing it. */
export const rawBody = (request: Request): AsyncIterable<Uint8Array> =>
  sources.get(request)?.iterator({ destroyOnReturn: false }) ??
  (request.body as AsyncIterable<Uint8Array> | null) ??
  empty();

/** Suspends the socket's inactivity timeout while a body waits unread. Returns a function that restores it. */
export function allowSilence(request: Request): () => void {
  const socket = sources.get(request)?.socket;
  const usual = socket?.timeout ?? 0;
  socket?.setTimeout(0);
  return () => socket?.setTimeout(usual);
}

async function* empty(): AsyncGenerator<Uint8Array> {}
