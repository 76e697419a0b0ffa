import { AppError, type ErrorCode } from '#lib/errors';

/** Bytes of a request body under `/v1`, where media may come as data URLs. */
export const MAX_BODY_BYTES = 4_500_000;
/** Of one that carries no files. */
export const SMALL_BODY_BYTES = 65_536;
const MAX_DEPTH = 64;
/** Names and values together: what comes after reading costs more for each than for its bytes. */
const MAX_VALUES = 10_000;

/**
 * The JSON value of a request body. Refuses while reading, so that an oversized body is never held, and refuses what the
 * database or the recursion of a validator could choke on: NUL, lone surrogates, infinite numbers, deep nesting.
 */
export async function readJson(request: Request, invalid: ErrorCode, maxBytes = MAX_BODY_BYTES): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  const value = parse(bytes, invalid);
  const flaw = findFlaw(value);
  if (flaw) throw new AppError(invalid, `The body ${flaw}.`, { issues: [{ path: '', message: flaw }] });
  return value;
}

/** The text of a body that something else than JSON is read from. */
export const readText = async (request: Request, maxBytes: number): Promise<string> =>
  new TextDecoder().decode(await readBytes(request, maxBytes));

async function readBytes(request: Request, maxBytes: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  try {
    // the HTTP parser holds a client to the length it declares
    return declared === null ? await readChunks(request.body, maxBytes) : await request.arrayBuffer();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('invalid_request', 'The connection broke before the whole body arrived.', {}, { cause });
  }
}

async function readChunks(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
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

function parse(bytes: ArrayBuffer | Uint8Array, invalid: ErrorCode): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    const message =
      bytes.byteLength === 0 ? 'The body is empty; send a JSON object.' : 'The body is not valid JSON in UTF-8.';
    throw new AppError(invalid, message, { issues: [{ path: '', message: 'not valid JSON' }] }, { cause });
  }
}

/** Breadth-first, so that depth costs no stack. */
function findFlaw(root: unknown): string | null {
  let level: unknown[] = [root];
  let values = 0;
  for (let depth = 0; level.length; depth++) {
    if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    values += level.length;
    if (values > MAX_VALUES) return `has more than ${MAX_VALUES} names and values`;
    const next: unknown[] = [];
    for (const value of level) {
      const flaw = scalarFlaw(value);
      if (flaw) return flaw;
      if (typeof value === 'object' && value !== null) {
        // one by one: a body has room for more members than a call takes arguments
        if (!Array.isArray(value)) for (const name of Object.keys(value)) next.push(name);
        for (const child of Object.values(value)) next.push(child);
      }
    }
    level = next;
  }
  return null;
}

function scalarFlaw(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'has a number out of range';
  if (typeof value !== 'string') return null;
  if (value.includes('\0')) return 'has a NUL character in a string';
  return value.isWellFormed() ? null : 'has a lone surrogate in a string';
}
