import { AppError } from '#lib/errors';
import { answer } from '#lib/http/answer';
import { asReader } from '#lib/http/limit-reads';
import { allowSilence, rawBody } from '#lib/http/raw-body';
import type { Handler } from '#lib/http/route';
import { mediaPath } from '#lib/http/serve-media';
import { requireRoom } from '#lib/quotas';
import { MEDIA_TYPES, typeOfKey } from '#lib/storage/media-types';
import { holdsOtherBytes } from '#lib/storage/refusals';
import { storage } from '#lib/storage/store';
import { completeUpload, findOpenUpload } from '#lib/uploads/complete-upload';
import { tooLong, uploadBody } from '#lib/uploads/upload-body';

/** Answers a signed PUT. Reads nothing before the signature is verified; failed uploads leave nothing behind. */
export async function receiveUpload(request: Request): Promise<Response> {
  const path = mediaPath(request);
  const key = path.slice('/media/'.length);
  const query = new URL(request.url).search;
  const maxBytes = storage().verifyPut?.({ path, query, header: name => request.headers.get(name) }) ?? null;
  const type = typeOfKey(key);
  if (maxBytes === null || !type) throw notSigned();
  // otherwise the first part of a file would be stored as the whole, and the rest refused
  if (request.headers.has('content-range'))
    throw new AppError('invalid_request', 'Send the whole file in one PUT, without Content-Range.');
  const length = request.headers.get('content-length');
  if (Number(length) > maxBytes) throw tooLong(maxBytes);
  const upload = await findOpenUpload(key);
  if (!upload) throw notSigned();
  if (upload.readyAt && length !== null && Number(length) !== upload.bytes) throw holdsOtherBytes();
  const goOn = allowSilence(request);
  const store = async () => {
    goOn();
    if (!upload.readyAt) {
      await requireRoom(upload.accountId, 'LIMIT_STORED_BYTES', Number(length ?? 0)).catch(async (full: unknown) => {
        // another upload of the same file may have completed meanwhile and used the room
        if (!(await findOpenUpload(key))?.readyAt) throw full;
      });
    }
    const body = uploadBody(rawBody(request), maxBytes, {
      again: upload.readyAt !== null,
      kind: MEDIA_TYPES[type].kind,
    });
    // a repeated upload of the same file gets the same answer
    const stored = await storage().put(key, body, type);
    if (!(await completeUpload(key, stored))) throw notSigned();
    return new Response(null, { status: 200, headers: { etag: stored.etag } });
  };
  // each upload is a file on disk from its first byte, but counts as stored only after its last
  return asReader(`uploads ${upload.accountId}`, request.signal, store, undefined, 'LIMIT_UPLOADS_PER_ACCOUNT');
}

/** Refuses other methods with a signature like a PUT that does not match: signatures are for PUT only. */
export const unlessSigned =
  (handler: Handler): Handler =>
  (request, context) =>
    (new URL(request.url).searchParams.has('signature') ? refuseSigned : handler)(request, context);

const refuseSigned = answer(() => Promise.reject(notSigned()));

const notSigned = () =>
  new AppError(
    'forbidden',
    'This upload is not allowed: send PUT to the upload_url as it was given, with exactly its headers, before it expires; or create a new ticket.',
  );
