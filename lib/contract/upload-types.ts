// free of zod: forms import these types too

/** Content types that a ticket may declare, with the type under which the file is stored. */
export const UPLOAD_TYPES = {
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
} as const;

export type DeclaredType = keyof typeof UPLOAD_TYPES;

export const DECLARED_TYPES = Object.keys(UPLOAD_TYPES) as DeclaredType[];
