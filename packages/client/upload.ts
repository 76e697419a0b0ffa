import { apiError } from './errors.ts';
import { routes } from './routes.ts';
import { persistWithFile, send, type Sender } from './send.ts';
import { watchedFetch } from './watched-fetch.ts';
import type { Operations, UploadTicket } from './wire.ts';

type ContentType = Operations['createUpload']['body']['content_type'];

export interface UploadOptions {
  /** MIME type, such as `image/png`; defaults to the type of the file, then to that of its file name extension. */
  type?: string | undefined;
  /** File name shown in lists; defaults to the name of the file. */
  name?: string | undefined;
  /** Called with the fraction of the file sent so far, 0 to 1. */
  onProgress?: ((part: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Anything that can be uploaded. A stream is read completely before it is sent: the store requires its length. */
export type Uploadable = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

const TYPES: Record<string, ContentType> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
};

/** Requests a ticket, sends the file to its signed URL, and returns the ticket, whose `url` is for media fields. */
export async function upload(sender: Sender, source: Uploadable, options: UploadOptions = {}): Promise<UploadTicket> {
  const file = await toBlob(source);
  const name = options.name ?? (file instanceof File ? file.name : undefined);
  const type = options.type || file.type || TYPES[name?.split('.').at(-1)?.toLowerCase() ?? ''];
  if (!type) throw unusable('Give the file a `type`, such as image/png, or a name with an ending such as .png.');
  const ticket = (await send(sender, routes.createUpload, {
    body: { content_type: type, file_name: name ?? null },
    signal: options.signal,
  })) as UploadTicket;
  if (file.size > ticket.max_bytes) {
    throw unusable(`This file is larger than ${Math.floor(ticket.max_bytes / 1_048_576)} MB.`);
  }
  const { upload_url, method, headers } = ticket;
  const { onProgress, signal } = options;
  const way = onProgress ? { ...sender, fetch: watchedFetch(sender.fetch ?? fetch, onProgress) } : sender;
  await persistWithFile(way, upload_url, { method, headers, body: file, signal });
  return ticket;
}

const unusable = (message: string) => apiError({ status: 400, code: 'unusable_file', message });

// `Response.blob()` is avoided: in some runtimes it sets a type that the caller did not give
const toBlob = async (source: Uploadable): Promise<Blob> =>
  source instanceof Blob ? source : new Blob([await new Response(source).arrayBuffer()]);
