import { Readable } from 'node:stream';
import { AppError } from '#lib/errors';
import { matchesEtag, parseRange } from '#lib/http/byte-range';
import { errorResponse } from '#lib/http/error-response';
import { findMedia, isLive, type MediaRow } from '#lib/media/find-media';
import { log } from '#lib/log';
import type { ByteRange } from '#lib/storage/storage';
import { storage } from '#lib/storage/store';

/** A day, and never past the expiry: a copy in a browser must not outlive the file. */
const MAX_AGE = 86_400;

const BUFFERED = 1_048_576;

/** Answers GET and HEAD of a media address: whoever has it may read the file until it expires. */
export async function serveMedia(request: Request): Promise<Response> {
  const key = mediaPath(request).slice('/media/'.length);
  const row = await findMedia(key);
  if (!row) throw notFound();
  if (!isLive(row))
    throw new AppError('media_expired', 'This file has expired or was deleted. Generate or upload it again.');
  const object = await storage().head(key);
  if (!object) {
    log().error({ key }, 'a media file is missing though its row lives');
    throw notFound();
  }
  const headers = mediaHeaders(row, object.etag);
  if (matchesEtag(request.headers.get('if-none-match'), object.etag))
    return new Response(null, { status: 304, headers });

  const ifRange = request.headers.get('if-range');
  const wanted = ifRange === null || ifRange === object.etag ? request.headers.get('range') : null;
  const range = parseRange(request.method === 'GET' ? wanted : null, object.bytes);
  if (range === 'unsatisfiable') return unsatisfiable(object.bytes);
  const wholeFile = { start: 0, end: object.bytes - 1 };
  const { start, end } = range ?? wholeFile;
  headers['content-length'] = String(end - start + 1);
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${object.bytes}`;
  const body = request.method === 'GET' && end >= start ? await readBody(key, { start, end }) : null;
  return new Response(body, { status: range ? 206 : 200, headers });
}

/** A web stream costs more than a small file is worth. */
async function readBody(key: string, range: ByteRange): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const bytes = await storage().get(key, range);
  if (range.end - range.start >= BUFFERED) return Readable.toWeb(bytes) as ReadableStream<Uint8Array>;
  const chunks: Buffer<ArrayBuffer>[] = await bytes.toArray();
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function unsatisfiable(bytes: number): Response {
  const message = `The file has ${bytes} bytes; ask for a range that starts below that.`;
  const response = errorResponse(new AppError('range_not_satisfiable', message), '');
  response.headers.set('content-range', `bytes */${bytes}`);
  return response;
}

/** The path as it was sent; a decoded one could name another key. */
export const mediaPath = (request: Request): string => new URL(request.url).pathname;

const notFound = () => new AppError('not_found', 'There is no file at this address.');

function mediaHeaders(row: MediaRow, etag: string): Record<string, string> {
  const left = row.expiresAt ? Math.floor((row.expiresAt.getTime() - Date.now()) / 1000) : MAX_AGE;
  const [name, extension] = row.key.slice(row.key.lastIndexOf('/') + 1).split('.');
  return {
    'content-type': row.contentType,
    'accept-ranges': 'bytes',
    etag,
    'cache-control': `private, max-age=${Math.min(MAX_AGE, left)}, immutable`,
    'content-disposition': `inline; filename="pomona-${name?.slice(0, 12)}.${extension}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    // whoever has the address may show the file, on other sites too
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  };
}
