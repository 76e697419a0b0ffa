import { apiError } from '#client/errors';
import { upload } from '#client/upload';
import { acceptedTypes } from '#lib/client/accepted-types';
import { studio } from '#lib/client/sender';
import type { UploadTicketWire } from '#lib/contract/cast-schemas';
import type { MediaKind } from '#lib/media-kind';

interface UploadOptions {
  media: MediaKind;
  /** Called with the fraction of the file sent so far, 0 to 1. */
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
  /** Whether to wait while `AT_ONCE` uploads with this option are in progress; for inputs that take many files. */
  inTurn?: boolean;
}

/** Maximum number of concurrent uploads: each must finish before its ticket expires, and leave connections free. */
const AT_ONCE = 3;
let sending = 0;
const waiting: (() => void)[] = [];

/** Calls `send` once fewer than `AT_ONCE` uploads are in progress, in the order of the calls. */
async function takeTurn<T>(send: () => Promise<T>): Promise<T> {
  if (sending === AT_ONCE) await new Promise<void>(resolve => waiting.push(resolve));
  else sending++;
  try {
    return await send();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else sending--;
  }
}

/** Uploads a file and returns its ticket. Throws `ApiError` when a field for `media` does not accept its type. */
export async function uploadFile(
  file: Blob,
  { media, inTurn = false, ...options }: UploadOptions,
): Promise<UploadTicketWire> {
  if (!acceptedTypes(media).some(known => known === file.type)) {
    const message = `This file is ${file.type || 'of an unknown type'}. Use ${WORDS[media]}.`;
    throw apiError({ status: 400, code: 'unusable_file', message });
  }
  const send = async () => {
    options.signal?.throwIfAborted();
    return upload(studio, file, options);
  };
  return inTurn ? takeTurn(send) : send();
}

const WORDS = { image: 'a JPEG, PNG, WebP, AVIF or GIF', video: 'an MP4, MOV or WebM', audio: 'an MP3 or a WAV' };
