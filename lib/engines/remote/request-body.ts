import { randomUUID } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { FormData } from 'undici';
import { InputFile, type Body, type BodyValue } from '#lib/engines/parameters';
import { inBase64 } from '#lib/storage/in-base64';
import { extensionOf } from '#lib/storage/media-types';
import { sum } from '#lib/sum';

const INLINE_BYTES = 256_000;

/**
 * Whether a file is sent inside the request to a hosted service, because it is small or its parameter requires it.
 * Other files are uploaded first.
 */
export const isInline = ({ as }: InputFile, size: number): boolean =>
  as === 'base64' || as === 'data_url' || size <= INLINE_BYTES;

/** A body as `EngineHttp.call` takes it. */
interface JsonSent {
  body: Readable;
  headers: Record<string, string>;
}
type Sent = JsonSent | { form: FormData };

/** Encodes a body in the given format; by default as a form when it contains files, and as JSON otherwise. */
export function sentAs(body: Body, format: 'json' | 'form' | undefined): Promise<Sent> {
  const hasFiles = Object.values(body)
    .flat()
    .some(value => value instanceof InputFile);
  return (format ?? (hasFiles ? 'form' : 'json')) === 'form' ? formBody(body) : jsonBody(body);
}

/** Encodes a body as JSON, with files as data URLs or base64 that are read while they are sent. */
export async function jsonBody(body: Body): Promise<JsonSent> {
  const files = new Map<string, InputFile>();
  // a random mark that no prompt can contain is the placeholder of a file
  const mark = `file-${randomUUID()}-`;
  const json = JSON.stringify(body, (_name, value: unknown) => {
    if (!(value instanceof InputFile)) return value;
    const name = `${mark}${files.size}.`;
    files.set(name, value);
    return name;
  });
  const parts = json.split(new RegExp(`(${mark}\\d+\\.)`));
  const lengths = await Promise.all(parts.map(part => lengthOf(files.get(part) ?? part)));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(sum(lengths)),
  };
  return { headers, body: Readable.from(written(parts, files), { objectMode: false }) };
}

/** Encodes a body as a form: files become parts, list items parts of the same name, and objects JSON. */
async function formBody(body: Body): Promise<Sent> {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item instanceof InputFile && (item.as ?? 'file') === 'file')
        form.append(name, await openAsBlob(item.input.path, { type: item.input.contentType }), fileName(item));
      else form.append(name, await asText(item));
    }
  }
  return { form };
}

async function asText(value: BodyValue): Promise<string> {
  const { it } = await withFilesAsText({ it: value });
  return typeof it === 'object' ? JSON.stringify(it) : String(it);
}

/** Replaces the files in a body with their text (data URL or base64). */
export const withFilesAsText = (body: Body): Promise<Body> =>
  replaceFiles(body, file => text(Readable.from(encoded(file))));

async function* written(parts: string[], files: Map<string, InputFile>): AsyncGenerator<string> {
  for (const part of parts) {
    const file = files.get(part);
    if (file) yield* encoded(file);
    else yield part;
  }
}

/** Yields a file as a data URL or base64. */
async function* encoded(file: InputFile): AsyncGenerator<string> {
  yield prefixOf(file);
  yield* inBase64(createReadStream(file.input.path));
}

const prefixOf = ({ as, input }: InputFile) => (as === 'base64' ? '' : `data:${input.contentType};base64,`);

async function lengthOf(part: string | InputFile): Promise<number> {
  if (typeof part === 'string') return Buffer.byteLength(part);
  const { size } = await stat(part.input.path);
  return prefixOf(part).length + Math.ceil(size / 3) * 4;
}

/** Replaces the files in a body. */
export async function replaceFiles(body: Body, replace: (file: InputFile) => Promise<BodyValue>): Promise<Body> {
  const walk = async (value: BodyValue): Promise<BodyValue> => {
    if (value instanceof InputFile) return replace(value);
    if (Array.isArray(value)) return Promise.all(value.map(walk));
    return value !== null && typeof value === 'object' ? replaceFiles(value, replace) : value;
  };
  const entries = Object.entries(body).map(async ([name, value]) => [name, await walk(value)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns a file name with the extension of its type, since some services rely on the extension. */
export function fileName({ input: { path, contentType } }: InputFile): string {
  const extension = extensionOf(contentType);
  const name = basename(path);
  return name.endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}
