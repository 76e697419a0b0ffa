import { AppError, invalid } from '#lib/errors';
import { findFlaws } from '#lib/http/find-flaws';
import { MAX_FORM_BYTES, readBytes } from '#lib/http/read-json';

const MAX_PARTS = 100;

type Value = string | Value[] | { [name: string]: Value };

/**
 * The members of a form, its files as data URLs. Names are as their clients write them: `image[]` is a list,
 * `input_reference[image_url]` a member of an object. Throws `invalid_request`, `request_too_large`.
 */
export async function readForm(request: Request): Promise<Record<string, Value>> {
  const bytes = await readBytes(request, MAX_FORM_BYTES);
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  const form = await new Response(bytes as BodyInit, { headers }).formData().catch((cause: unknown) => {
    throw new AppError('invalid_request', 'The form is malformed.', {}, { cause });
  });
  const parts = [...form];
  if (parts.length > MAX_PARTS)
    throw new AppError('invalid_request', `The form must have at most ${MAX_PARTS} parts; it has more.`);
  const body = new Map<string, Value>();
  for (const [key, part] of parts) {
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
