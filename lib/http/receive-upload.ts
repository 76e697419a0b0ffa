import { AppError } from '#lib/errors';
import { mediaPath } from '#lib/http/serve-media';
import { typeOfKey } from '#lib/storage/media-types';
import { storage } from '#lib/storage/store';
import { completeUpload, findOpenUpload } from '#lib/uploads/complete-upload';

/** Answers a signed PUT: nothing is read before the signature holds, and a refused or broken upload leaves nothing behind. */
export async function receiveUpload(request: Request): Promise<Response> {
  const path = mediaPath(request);
  const key = path.slice('/media/'.length);
  const query = new URL(request.url).search;
  const maxBytes = storage().verifyPut?.({ path, query, header: name => request.headers.get(name) }) ?? null;
  const type = typeOfKey(key);
  if (maxBytes === null || !type) throw notSigned();
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLong(maxBytes);
  const upload = await findOpenUpload(key);
  if (!upload) throw notSigned();
  if (upload.readyAt)
    throw new AppError(
      'precondition_failed',
      'This address was used already. Create a new upload ticket for another file.',
    );
  try {
    const stored = await storage().put(key, limited(request.body, maxBytes), type);
    if (await completeUpload(key, stored)) return new Response(null, { status: 200, headers: { etag: stored.etag } });
    await storage().delete(key);
    throw notSigned();
  } catch (error) {
    if (error instanceof AppError && error.code === 'precondition_failed') await adopt(key);
    throw error;
  }
}

/** A file without its row is what a crash between the two leaves: the file is whole, so the ticket can be completed. */
async function adopt(key: string): Promise<void> {
  const stored = await storage().head(key);
  if (stored) await completeUpload(key, stored);
}

async function* limited(body: ReadableStream<Uint8Array> | null, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLong(maxBytes);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'invalid_request',
      'The connection broke before the whole file arrived. Send it again.',
      {},
      { cause },
    );
  }
}

const tooLong = (maxBytes: number) => new AppError('request_too_large', `The file is longer than ${maxBytes} bytes.`);

const notSigned = () =>
  new AppError(
    'forbidden',
    'This upload is not allowed: send PUT to the upload_url as it was given, with exactly its headers, before it expires; or create a new ticket.',
  );
