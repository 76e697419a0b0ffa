import { ACCEPTED_TYPES } from '#lib/client/accepted-types';
import { ApiError } from '#lib/client/api-error';
import { api } from '#lib/client/queries';
import type { UploadTicketWire } from '#lib/contract/cast-schemas';

export interface UploadOptions {
  media: keyof typeof ACCEPTED_TYPES;
  /** 0 to 1, as the bytes leave. */
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
}

/** Sends a file of the browser to the store: a ticket, then the signed PUT. Gives the ticket; its `url` is what media fields take. */
export async function uploadFile(file: Blob, { media, onProgress, signal }: UploadOptions): Promise<UploadTicketWire> {
  const type = ACCEPTED_TYPES[media].find(known => known === file.type);
  if (!type) throw unusable(`This file is ${file.type || 'of an unknown type'}. Take ${WORDS[media]}.`);
  const file_name = file instanceof File ? file.name : null;
  const ticket = await api.createUpload({ body: { content_type: type, file_name }, signal });
  if (file.size > ticket.max_bytes) {
    throw unusable(`This file is larger than ${Math.floor(ticket.max_bytes / 1_048_576)} MB.`);
  }
  await put(ticket, file, onProgress, signal);
  return ticket;
}

const WORDS = { image: 'a JPEG, PNG, WebP, AVIF or GIF', video: 'an MP4, MOV or WebM', audio: 'an MP3 or a WAV' };

const unusable = (message: string) => new ApiError({ status: 0, code: 'unusable_file', message });

/** `fetch` cannot tell how far a body has gone, so this is the older way. */
function put(
  { upload_url, method, headers }: UploadTicketWire,
  file: Blob,
  onProgress: UploadOptions['onProgress'],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const xhr = new XMLHttpRequest();
  xhr.open(method, upload_url);
  for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
  xhr.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded / total);
  const fail = (message: string) => reject(new ApiError({ status: xhr.status, code: 'upload_failed', message }));
  xhr.onerror = () => fail('The upload was interrupted. Try again.');
  xhr.onabort = () => reject(new DOMException('Upload stopped', 'AbortError'));
  xhr.onload = () =>
    xhr.status < 300 ? resolve() : fail(reasonOf(xhr) ?? `The upload was refused (${xhr.status}). Try again.`);
  signal?.addEventListener('abort', () => xhr.abort(), { once: true });
  if (signal?.aborted) xhr.onabort(new ProgressEvent('abort'));
  else xhr.send(file);
  return promise;
}

/** What the server says is wrong with the file; a bucket says nothing of the kind. */
function reasonOf({ responseText }: XMLHttpRequest): string | null {
  try {
    const { error } = JSON.parse(responseText) as { error?: { message?: unknown } };
    return typeof error?.message === 'string' ? error.message : null;
  } catch {
    return null;
  }
}
