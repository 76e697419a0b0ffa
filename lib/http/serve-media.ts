import { Readable } from 'node:stream';
import { AppError } from '#lib/errors';
import { matchesEtag, parseRange } from '#lib/http/byte-range';
import { findMedia, isLive, type MediaRow } from '#lib/media/find-media';
import { log } from '#lib/log';
import { storage } from '#lib/storage/store';

/** A day, and never past the expiry: a copy in a browser must not outlive the file. */
const MAX_AGE = 86_400;

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
  if (range === 'unsatisfiable')
    throw new AppError('range_not_satisfiable', `The file has ${object.bytes} bytes; ask for bytes below that.`);
  headers['content-length'] = String(range ? range.end - range.start + 1 : object.bytes);
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${object.bytes}`;
  const body = request.method === 'GET' ? Readable.toWeb(await storage().get(key, range ?? undefined)) : null;
  return new Response(body as ReadableStream<Uint8Array> | null, { status: range ? 206 : 200, headers });
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
