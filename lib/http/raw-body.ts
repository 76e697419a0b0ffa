import type { IncomingMessage } from 'node:http';
import { noted } from '#lib/http/noted';

const sources = noted<Request, IncomingMessage>('source');

/** Remembers where the body of a request comes from. */
export const keepSource = (request: Request, incoming: IncomingMessage): void => void sources.set(request, incoming);

/** Whether nothing stands between this request and the line: whatever else serves it packs answers by itself. */
export const isDirect = (request: Request): boolean => sources.get(request) !== undefined;

/** The body of a request for one who reads it piece by piece: a web stream would copy each. Not read to the end, it stays open. */
export const rawBody = (request: Request): AsyncIterable<Uint8Array> =>
  sources.get(request)?.iterator({ destroyOnReturn: false }) ??
  (request.body as AsyncIterable<Uint8Array> | null) ??
  empty();

/**
 * Nothing is read of a body that waits for its turn: until what this gives back is called, its silence is not its client's, which would
 * be hung up on.
 */
export function allowSilence(request: Request): () => void {
  const socket = sources.get(request)?.socket;
  const usual = socket?.timeout ?? 0;
  socket?.setTimeout(0);
  return () => socket?.setTimeout(usual);
}

async function* empty(): AsyncGenerator<Uint8Array> {}
