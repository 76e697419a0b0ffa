import { apiError } from '#client/errors';
import { upload } from '#client/upload';
import { acceptedTypes } from '#lib/client/accepted-types';
import { studio } from '#lib/client/sender';
import type { UploadTicketWire } from '#lib/contract/cast-schemas';
import type { MediaKind } from '#lib/media-kind';

interface UploadOptions {
  media: MediaKind;
  /** 0 to 1, as the bytes leave. */
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
  /** Waits while some others that do so are on their way: for what many are chosen of at a time. */
  inTurn?: boolean;
}

/** Files that are sent at a time: each has as long as its ticket lasts, and the page needs connections for the rest. */
const AT_ONCE = 3;
let sending = 0;
const waiting: (() => void)[] = [];

/** Does it when fewer than so many files are on their way, in the order in which that was asked for. */
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

/** Sends a file of the browser to the store, when it is one of what a field takes. Gives the ticket. */
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
