import type { NewUpload } from '#lib/contract/cast-schemas';
import type { MediaType } from '#lib/storage/media-types';

/** What a ticket may declare. */
export type DeclaredType = NewUpload['content_type'];

/** What a ticket may declare, and the type that it is stored as. */
export const UPLOAD_TYPES: Readonly<Record<DeclaredType, MediaType>> = {
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
};
