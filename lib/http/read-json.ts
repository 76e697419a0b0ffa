import { AppError, type ErrorCode } from '#lib/errors';

/** Decision 3: bytes of a request body under `/v1`. */
const MAX_BODY_BYTES = 4_500_000;
const MAX_DEPTH = 64;

/**
 * The JSON value of a request body. Refuses while reading, so that an oversized body is never held, and refuses what the
 * database or the recursion of a validator could choke on: NUL, lone surrogates, infinite numbers, deep nesting.
 */
export async function readJson(request: Request, invalid: ErrorCode): Promise<unknown> {
  const bytes = await readBytes(request);
  const value = parse(bytes, invalid);
  const flaw = findFlaw(value);
  if (flaw) throw new AppError(invalid, `The body ${flaw}.`, { issues: [{ path: '', message: flaw }] });
  return value;
}

/** The text of a body that something else than JSON is read from, within the same limit. */
export const readText = async (request: Request): Promise<string> => new TextDecoder().decode(await readBytes(request));

async function readBytes(request: Request): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get('content-length');
  // the HTTP parser holds a client to the length it declares
  if (declared !== null) {
    if (Number(declared) > MAX_BODY_BYTES) throw tooLarge();
    return request.arrayBuffer();
  }
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

const tooLarge = () =>
  new AppError(
    'request_too_large',
    `The request body is over ${MAX_BODY_BYTES} bytes. Send large files through POST /v1/uploads and use the upload's url.`,
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
  for (let depth = 0; level.length; depth++) {
    if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
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
