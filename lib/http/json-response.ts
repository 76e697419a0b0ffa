import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { matchesEtag } from '#lib/http/byte-range';
import { isDirect } from '#lib/http/raw-body';
import { takesEncoding } from '#lib/http/takes-encoding';

export const pack = promisify<string, Buffer>(gzip);

/** Shorter ones fit into the first packets of a connection as they are. */
const WORTH_PACKING = 2_000;

interface Init {
  status: number;
  headers: Record<string, string>;
}

/** A JSON answer, packed as `textResponse` does. */
export function jsonResponse(request: Request, text: string, init: Init): Response | Promise<Response> {
  init.headers['content-type'] ??= 'application/json; charset=utf-8';
  return textResponse(request, text, init);
}

/**
 * Answers with a text, packed for who takes it so when it is long: on a phone its length is what one waits for. Who knows its
 * ETag gets 304.
 */
export function textResponse(
  request: Request,
  text: string,
  { status, headers }: Init,
  packed = () => pack(text),
): Response | Promise<Response> {
  const isPackable = text.length >= WORTH_PACKING && isDirect(request);
  if (isPackable) headers.vary = 'accept-encoding';
  if (headers.etag && matchesEtag(request.headers.get('if-none-match'), headers.etag)) {
    delete headers['content-type'];
    return new Response(null, { status: 304, headers });
  }
  if (!isPackable || !takesEncoding('gzip', request.headers.get('accept-encoding')))
    return new Response(text, { status, headers });
  headers['content-encoding'] = 'gzip';
  // the same content in other bytes
  if (headers.etag) headers.etag = `W/${headers.etag}`;
  return packed().then(bytes => new Response(bytes as BodyInit, { status, headers }));
}
