// without zod: forms say the same as the contract

/** What a ticket may declare, and the type that it is stored as. */
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
