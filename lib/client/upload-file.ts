import { apiError } from '#client/errors';
import { upload } from '#client/upload';
import { ACCEPTED_TYPES } from '#lib/client/accepted-types';
import type { UploadTicketWire } from '#lib/contract/cast-schemas';

export interface UploadOptions {
  media: keyof typeof ACCEPTED_TYPES;
  /** 0 to 1, as the bytes leave. */
  onProgress?: (part: number) => void;
  signal?: AbortSignal;
}

/** Sends a file of the browser to the store, when it is one of what a field takes. Gives the ticket. */
export async function uploadFile(file: Blob, { media, ...options }: UploadOptions): Promise<UploadTicketWire> {
  if (ACCEPTED_TYPES[media].some(known => known === file.type)) return upload({ retries: 0 }, file, options);
  const message = `This file is ${file.type || 'of an unknown type'}. Take ${WORDS[media]}.`;
  throw apiError({ status: 400, code: 'unusable_file', message });
}

const WORDS = { image: 'a JPEG, PNG, WebP, AVIF or GIF', video: 'an MP4, MOV or WebM', audio: 'an MP3 or a WAV' };
