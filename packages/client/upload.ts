import { apiError } from './errors.ts';
import { routes } from './routes.ts';
import { persistWithFile, send, type Sender } from './send.ts';
import { watchedFetch } from './watched-fetch.ts';
import type { Operations, UploadTicket } from './wire.ts';

type ContentType = Operations['createUpload']['body']['content_type'];

export interface UploadOptions {
  /** What it is, such as `image/png`; when left out, the file's own type or that of the ending of its name. */
  type?: string | undefined;
  /** Kept and shown in lists. */
  name?: string | undefined;
  /** 0 to 1, as the bytes leave. */
  onProgress?: ((part: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** What can be uploaded. A stream is read to its end before it is sent: the store wants to know how long a file is. */
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

/** A ticket, then the signed PUT. Gives the ticket; its `url` is what media fields take. */
export async function upload(sender: Sender, source: Uploadable, options: UploadOptions = {}): Promise<UploadTicket> {
  const file = await toBlob(source);
  const name = options.name ?? (file instanceof File ? file.name : undefined);
  const type = options.type || file.type || TYPES[name?.split('.').at(-1)?.toLowerCase() ?? ''];
  if (!type)
    throw unusable('Say in `type` what the file is, such as image/png, or name it with an ending such as .png.');
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

// a blob that a Response makes has a type in some runtimes, which nobody gave it
const toBlob = async (source: Uploadable): Promise<Blob> =>
  source instanceof Blob ? source : new Blob([await new Response(source).arrayBuffer()]);
