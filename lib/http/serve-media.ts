import { hash } from 'node:crypto';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { beginning } from '#lib/beginning';
import { AppError } from '#lib/errors';
import { bodyOfStream } from '#lib/http/body-of-stream';
import { allowsEtag, matchesEtag, parseRange } from '#lib/http/byte-range';
import { errorResponse } from '#lib/http/error-response';
import { fileResponse } from '#lib/http/send-file';
import { log } from '#lib/log';
import { bareOf, lengthOf, readPieces } from '#lib/media/bare-file';
import { isLive, type MediaRow } from '#lib/media/find-media';
import type { AnswerHeaders, Storage } from '#lib/storage/storage';
import { storage } from '#lib/storage/store';
import { sum } from '#lib/sum';
import { findStoredMedia } from '#lib/uploads/find-stored-media';

/** Maximum seconds that a browser may cache a file; a copy never outlives the file. */
const MAX_AGE = 86_400;
/** Seconds that a redirect may be cached: less than the lifetime of any signed URL. */
const REDIRECT_AGE = 300;

/** Answers GET and HEAD of a media URL: anyone who has it may read the file until it expires. */
export async function serveMedia(request: Request): Promise<Response> {
  const row = await findStoredMedia(mediaPath(request).slice('/media/'.length));
  if (!row) throw notFound();
  const { key } = row;
  if (!isLive(row))
    throw new AppError('media_expired', 'This file has expired or was deleted. Generate or upload it again.');
  const { signGet } = storage();
  const known = request.headers.get('if-none-match');
  // GETs are redirected to a store that can sign URLs, except to check ETags here; HEAD is always answered here
  const direct = request.method === 'GET' && signGet;
  const answered = answerHeaders(row, new URL(request.url).searchParams.get('download'));
  if (direct && known === null) return redirect(row, answered, signGet);
  const object = await storage().head(key);
  if (!object) {
    log().error({ key }, 'media file is missing from the store');
    throw notFound();
  }
  // files are written once and have no date, so RFC 9110 says to ignore If-Unmodified-Since
  if (!allowsEtag(request.headers.get('if-match'), object.etag))
    throw new AppError('precondition_failed', 'The file at this address is not the one that If-Match names.');
  const headers = { ...answered, ...SAFE, 'accept-ranges': 'bytes', etag: object.etag };
  if (matchesEtag(known, object.etag)) return new Response(null, { status: 304, headers });
  if (direct) return redirect(row, answered, signGet);

  const part = partOf(request, object.etag, object.bytes, headers);
  if (part instanceof Response) return part;
  const { start, end, init } = part;
  if (request.method === 'HEAD' || end < start) return new Response(null, init);
  const { open, get } = storage();
  if (open) return fileResponse({ open: () => open(key), range: { start, end } }, init);
  return new Response(bodyOfStream(await get(key, { start, end })), init);
}

/** Answers GET of a result without its generation metadata, at a URL that does not reveal the file's key. */
export async function serveBare(request: Request, key: string): Promise<Response> {
  const row = await findStoredMedia(key);
  if (!row || !isLive(row)) throw notFound();
  // a hash, because a file never changes and its key must stay hidden
  const etag = `"${hash('sha256', `${key} bare`, 'base64url')}"`;
  const headers = {
    ...answerHeaders(row, new URL(request.url).searchParams.get('download')),
    ...SAFE,
    // at any moment, sharing may end or the settings be shared too
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag,
  };
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers });
  const pieces = await bareOf(row);
  const bytes = sum(pieces.map(lengthOf));
  const part = partOf(request, etag, bytes, headers);
  if (part instanceof Response) return part;
  const { start, end, init } = part;
  const body = NodeStream.from(readPieces(key, pieces, { start, end })) as ReadableStream<Uint8Array>;
  return new Response(body, init);
}

interface Part {
  start: number;
  end: number;
  init: ResponseInit;
}

/** Returns the requested byte range and how to answer it, or the response itself if the range cannot be satisfied. */
function partOf(request: Request, etag: string, bytes: number, headers: Record<string, string>): Part | Response {
  const range = parseRange(rangeOf(request, etag), bytes);
  if (range === 'unsatisfiable') return unsatisfiable(bytes);
  const { start, end } = range ?? { start: 0, end: bytes - 1 };
  const length = { ...headers, 'content-length': String(end - start + 1) };
  if (!range) return { start, end, init: { status: 200, headers: length } };
  const part = { ...length, 'content-range': `bytes ${start}-${end}/${bytes}` };
  return { start, end, init: { status: 206, headers: part } };
}

/** Returns the Range header if it applies to this version of the file. RFC 9110 defines it for GET only. */
function rangeOf({ method, headers }: Request, etag: string): string | null {
  const ifRange = headers.get('if-range');
  return method === 'GET' && (ifRange === null || ifRange === etag) ? headers.get('range') : null;
}

/** Redirects to the store, which then sends the same headers as this server. */
async function redirect(
  row: MediaRow,
  headers: AnswerHeaders,
  signGet: NonNullable<Storage['signGet']>,
): Promise<Response> {
  // rounded, because the value is part of the signature: by the second, the URL would change every second
  const seconds = secondsLeft(row) - (secondsLeft(row) % REDIRECT_AGE);
  const location = await signGet(row.key, {
    headers: { ...headers, 'cache-control': keptFor(seconds) },
    expiresAt: row.expiresAt ?? new Date(Date.now() + MAX_AGE * 1000),
  });
  const cached = `private, max-age=${Math.min(REDIRECT_AGE, secondsLeft(row))}`;
  return new Response(null, { status: 302, headers: { ...SAFE, location, 'cache-control': cached } });
}

function unsatisfiable(bytes: number): Response {
  const message = `The file has ${bytes} bytes; ask for a range that starts below that.`;
  const response = errorResponse(new AppError('range_not_satisfiable', message), '');
  response.headers.set('content-range', `bytes */${bytes}`);
  return response;
}

/** Returns the path as it was sent; a decoded one could name another key. */
export const mediaPath = (request: Request): string => new URL(request.url).pathname;

const notFound = () => new AppError('not_found', 'There is no file at this address.');

const SAFE = {
  'content-security-policy': "default-src 'none'; sandbox",
  // anyone who has the URL may embed the file, on other sites too
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Returns the headers of a media file. `download` names the file to save, because links cannot name a file of another
 * origin. The extension is always the file's own, so that a link cannot save an image as a page or a program.
 */
function answerHeaders(row: MediaRow, download: string | null): AnswerHeaders {
  const end = row.key.slice(row.key.lastIndexOf('.'));
  return {
    'content-type': row.contentType,
    'content-disposition': download
      ? `attachment; ${fileNamed(endingIn(end, beginning(download, 100)))}`
      : // the name contains no part of the key, which grants access to the file with its metadata
        `inline; filename="pomona-${row.id.slice(-12)}${end}"`,
    'cache-control': keptFor(secondsLeft(row)),
  };
}

const keptFor = (seconds: number): string => `private, max-age=${seconds}, immutable`;

const endingIn = (end: string, name: string): string => (name.toLowerCase().endsWith(end) ? name : name + end);

/** Returns the seconds until the file expires, at most a day. */
const secondsLeft = ({ expiresAt }: MediaRow): number =>
  expiresAt ? Math.min(MAX_AGE, Math.floor((expiresAt.getTime() - Date.now()) / 1000)) : MAX_AGE;

/** Returns a file name parameter as RFC 6266 defines it for headers, which are ASCII. */
function fileNamed(name: string): string {
  if (/^[\w.-]+$/.test(name)) return `filename="${name}"`;
  const escaped = encodeURIComponent(name).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `filename*=UTF-8''${escaped}`;
}
