import { MIMEType } from 'node:util';
import { AppError, invalid } from '#lib/errors';
import { findFlaws } from '#lib/http/find-flaws';
import { MAX_FORM_BYTES, readBytes } from '#lib/http/read-json';

const MAX_PARTS = 100;
/** Maximum length of the headers of a part. */
const MAX_HEAD_BYTES = 16_384;

type Value = string | Value[] | { [name: string]: Value };

/**
 * Reads the members of a form, with files as data URLs. Names follow the OpenAI clients: `image[]` is a list,
 * `input_reference[image_url]` a member of an object. Throws `invalid_request` or `request_too_large`.
 */
export async function readForm(request: Request): Promise<Record<string, Value>> {
  const bytes = Buffer.from((await readBytes(request, MAX_FORM_BYTES)) as ArrayBuffer);
  const type = typeOf(request);
  requireFewParts(bytes, type.params.get('boundary')!);
  const headers = { 'content-type': String(type) };
  const form = await new Response(bytes, { headers }).formData().catch(malformed);
  const body = new Map<string, Value>();
  for (const [key, part] of form) {
    const [, name = key, list, member] = /^(\w+)(?:(\[\d*\])|\[(\w+)\])?$/.exec(key) ?? [];
    const value = typeof part === 'string' ? part : await toDataUrl(part);
    const before = body.get(name);
    if (member) body.set(name, { ...(typeof before === 'object' && before), [member]: value });
    else if (list || before !== undefined) body.set(name, [...(before === undefined ? [] : [before].flat()), value]);
    else body.set(name, value);
  }
  const read = Object.fromEntries(body);
  const flaws = findFlaws(read);
  if (flaws.length) throw invalid('invalid_request', flaws);
  return read;
}

const toDataUrl = async (file: File): Promise<string> =>
  `data:application/octet-stream;base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`;

/** Returns the content type, which must have a boundary. */
function typeOf(request: Request): MIMEType {
  try {
    const type = new MIMEType(request.headers.get('content-type') ?? '');
    return type.params.get('boundary') ? type : malformed();
  } catch (error) {
    return malformed(error);
  }
}

function malformed(cause?: unknown): never {
  throw new AppError('invalid_request', 'The form is malformed.', {}, { cause });
}

/** Refuses forms that take long to parse: `formData()` parses in one go and blocks the event loop meanwhile. */
function requireFewParts(bytes: Buffer, boundary: string): void {
  const line = `--${boundary}`;
  // one more boundary than parts: the last one ends the form
  let left = MAX_PARTS + 1;
  for (let at = bytes.indexOf(line); at >= 0; at = bytes.indexOf(line, at + 1)) {
    if (left-- === 0) throw tooMuch(`${MAX_PARTS} parts`);
    const head = bytes.subarray(at, at + MAX_HEAD_BYTES);
    if (head.length === MAX_HEAD_BYTES && !head.includes('\r\n\r\n'))
      throw tooMuch(`${MAX_HEAD_BYTES} bytes before the content of a part`);
  }
}

const tooMuch = (most: string) => new AppError('invalid_request', `The form must have at most ${most}; it has more.`);
