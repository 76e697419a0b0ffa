import type { MediaType } from '#lib/storage/media-types';

/** What a ticket may declare, and the type that it is stored as. */
const UPLOAD_TYPES = {
  'image/jpeg': 'image/jpeg',
  'image/png': 'image/png',
  'video/mp4': 'video/mp4',
  'video/quicktime': 'video/quicktime',
  'video/webm': 'video/webm',
  'audio/mpeg': 'audio/mpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'image/webp': 'image/webp',
  'image/avif': 'image/avif',
  'image/gif': 'image/gif',
} as const satisfies Record<string, MediaType>;

export const DECLARABLE_TYPES = Object.keys(UPLOAD_TYPES);

export const storedTypeOf = (declared: string): MediaType | null =>
  Object.hasOwn(UPLOAD_TYPES, declared) ? UPLOAD_TYPES[declared as keyof typeof UPLOAD_TYPES] : null;
