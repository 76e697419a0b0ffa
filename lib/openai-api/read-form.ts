import { AppError } from '#lib/errors';
import { readBytes } from '#lib/http/read-json';

/** Bytes of a form with its files, which are held in memory. */
const MAX_FORM_BYTES = 25_000_000;

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
  const body: Record<string, Value> = {};
  for (const [key, part] of form) {
    const [, name = key, list, member] = /^(\w+)(?:(\[\d*\])|\[(\w+)\])?$/.exec(key) ?? [];
    const value = typeof part === 'string' ? part : await toDataUrl(part);
    const before = Object.hasOwn(body, name) ? body[name] : undefined;
    if (member) body[name] = { ...(typeof before === 'object' && before), [member]: value };
    else if (list || before !== undefined) body[name] = [...(before === undefined ? [] : [before].flat()), value];
    else body[name] = value;
  }
  return body;
}

const toDataUrl = async (file: File): Promise<string> =>
  `data:application/octet-stream;base64,${Buffer.from(await file.arrayBuffer()).toString('base64')}`;
