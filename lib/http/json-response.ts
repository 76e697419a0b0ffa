import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { matchesEtag } from '#lib/http/byte-range';
import { isDirect } from '#lib/http/raw-body';
import { takesEncoding } from '#lib/http/takes-encoding';

export const pack = promisify<string, Buffer>(gzip);

/** Minimum length worth compressing; shorter texts fit into the first packets of a connection. */
const WORTH_PACKING = 2_000;

interface Init {
  status: number;
  headers: Record<string, string>;
}

/** Answers with JSON, compressed as in `textResponse`. */
export function jsonResponse(request: Request, text: string, init: Init): Response | Promise<Response> {
  init.headers['content-type'] ??= 'application/json; charset=utf-8';
  return textResponse(request, text, init);
}

/** Answers with a text, compressed if it is long and the client accepts gzip, or with 304 if the ETag matches. */
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
  // weak, because the same content has different bytes
  if (headers.etag) headers.etag = `W/${headers.etag}`;
  return packed().then(bytes => new Response(bytes as BodyInit, { status, headers }));
}
