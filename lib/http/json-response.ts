import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isDirect } from '#lib/http/raw-body';

const pack = promisify(gzip);

/** Shorter ones fit into the first packets of a connection as they are. */
const WORTH_PACKING = 2_000;
const TAKES_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

/** A JSON answer, packed for who takes it so when it is long: on a phone its length is what one waits for. */
export async function jsonResponse(
  request: Request,
  text: string,
  { status, headers }: { status: number; headers: Record<string, string> },
): Promise<Response> {
  headers['content-type'] ??= 'application/json; charset=utf-8';
  if (text.length < WORTH_PACKING || !isDirect(request)) return new Response(text, { status, headers });
  headers.vary = 'accept-encoding';
  if (!TAKES_GZIP.test(request.headers.get('accept-encoding') ?? '')) return new Response(text, { status, headers });
  headers['content-encoding'] = 'gzip';
  // the same content in other bytes
  if (headers.etag) headers.etag = `W/${headers.etag}`;
  return new Response(await pack(text), { status, headers });
}
