import { AppError, invalid, type InvalidCode } from '#lib/errors';
import { inPace } from '#lib/http/body-pace';
import { clientAddress } from '#lib/http/client-address';
import { findExcess, findFlaws } from '#lib/http/find-flaws';
import { rawBody } from '#lib/http/raw-body';
import { charactersIn, shown } from '#lib/issue';

/** Maximum bytes of a request body under `/v1`, where media may come as data URLs. */
export const MAX_BODY_BYTES = 4_500_000;
/** Maximum bytes of a form with its files. */
export const MAX_FORM_BYTES = 25_000_000;
/** Maximum bytes of a body without files. */
export const SMALL_BODY_BYTES = 65_536;

/** Whether a Content-Type, in any case, is that of a form. */
export const isForm = (contentType: string | null | undefined): boolean =>
  /^multipart\/form-data\b/i.test(contentType ?? '');

/** Returns the JSON value of a request body. Refuses what the database cannot store or validators cannot handle. */
export async function readJson(
  request: Request,
  code: InvalidCode,
  maxBytes = MAX_BODY_BYTES,
  maxValues?: number,
): Promise<unknown> {
  const value = await readAnyJson(request, code, maxBytes, maxValues);
  const flaws = findFlaws(value, maxValues);
  if (flaws.length) throw invalid(code, flaws);
  return value;
}

/** `readJson` without `findFlaws`. Refuses an oversized body while reading, so that it is never held in memory. */
export async function readAnyJson(
  request: Request,
  code: InvalidCode,
  maxBytes = MAX_BODY_BYTES,
  maxValues?: number,
): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  const other = isForm(request.headers.get('content-type')) ? 'a form' : encodingOf(bytes);
  if (other) throw unreadable(code, other);
  const excess = findExcess(bytes, maxValues);
  if (excess) throw invalid(code, [excess]);
  return parse(bytes, code, request.headers.has('content-encoding'));
}

/** Returns the text of a body that is not JSON. */
export const readText = async (request: Request, maxBytes: number): Promise<string> =>
  new TextDecoder().decode(await readBytes(request, maxBytes));

/** Refuses a body that is declared to be too long, also where it is not read. */
export function requireLength(request: Request, maxBytes: number): void {
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(maxBytes);
}

/** Returns the bytes of a body. Refuses the body while reading when there are too many. */
export async function readBytes(request: Request, maxBytes: number): Promise<ArrayBuffer | Uint8Array> {
  requireLength(request, maxBytes);
  try {
    // the HTTP parser enforces the declared length
    return request.headers.get('content-length') === null
      ? await readChunks(inPace(rawBody(request), clientAddress(request)), maxBytes)
      : await request.arrayBuffer();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid_request', 'The connection broke before the whole body arrived.', {}, { cause });
  }
}

async function readChunks(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

const tooLarge = (maxBytes: number) =>
  new AppError(
    'request_too_large',
    `The request body is over ${maxBytes} bytes. Send large files through POST /v1/uploads and use the upload's url.`,
  );

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: ArrayBuffer | Uint8Array, code: InvalidCode, isEncoded: boolean): unknown {
  let text: string | undefined;
  try {
    text = utf8.decode(bytes);
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(code, isEncoded && text !== '' ? COMPRESSED : faultOf(text, cause as Error), cause);
  }
}

/** Says why a text is not JSON. Quotes a single character of it, as a body may contain a password. */
function faultOf(text: string | undefined, { message }: Error): string {
  if (text === undefined) return 'not in UTF-8';
  if (!text.trim()) return 'empty';
  const at = Number(/ JSON at position (\d+) \(line/.exec(message)?.[1] ?? placeOfToken(text));
  if (at >= text.length) return 'cut off at its end';
  const found = String.fromCodePoint(text.codePointAt(at)!);
  return `not, from character ${charactersIn(text.slice(0, at)) + 1} on, where ${shown(found)} stands`;
}

/**
 * Returns the index of the character that V8 calls an unexpected token; the length of the text if it ends too early. V8
 * does not give the position, but shows what surrounds it: ten characters in front, if there are as many.
 */
function placeOfToken(text: string): number {
  const padding = ' '.repeat(10);
  const padded = padding + text + padding;
  try {
    JSON.parse(padded);
  } catch (error) {
    const [, around] = /, \.{3}"(.*)"\.{3} is not valid JSON$/s.exec((error as Error).message) ?? [];
    // the token is ten characters into what is shown, and the text ten into `padded`
    if (around) return padded.indexOf(around);
  }
  return text.length;
}

const unreadable = (code: InvalidCode, found: string, cause?: unknown) =>
  invalid(code, [{ path: '', message: `The body must be JSON in UTF-8, not compressed; it is ${found}.` }], { cause });

const COMPRESSED = 'compressed';

/** Returns the encoding that the first bytes reveal, where they cannot begin JSON in UTF-8. */
function encodingOf(bytes: ArrayBuffer | Uint8Array): string | null {
  const [first = -1, second = -1] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0x1f && second === 0x8b) return COMPRESSED;
  // a byte order mark, or ASCII in two bytes
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || first === 0 || second === 0 ? 'in UTF-16' : null;
}
