import type { MediaKind } from '#lib/media-kind';

/** The only media types that are stored and served, with the extension of their keys. */
export const MEDIA_TYPES = {
  'image/jpeg': { extension: 'jpg', kind: 'image' },
  'image/png': { extension: 'png', kind: 'image' },
  'image/webp': { extension: 'webp', kind: 'image' },
  'image/avif': { extension: 'avif', kind: 'image' },
  'image/gif': { extension: 'gif', kind: 'image' },
  'video/mp4': { extension: 'mp4', kind: 'video' },
  'video/quicktime': { extension: 'mov', kind: 'video' },
  'video/webm': { extension: 'webm', kind: 'video' },
  'audio/mpeg': { extension: 'mp3', kind: 'audio' },
  'audio/wav': { extension: 'wav', kind: 'audio' },
} as const satisfies Record<string, { extension: string; kind: MediaKind }>;

export type MediaType = keyof typeof MEDIA_TYPES;

export const isMediaType = (text: string): text is MediaType => Object.hasOwn(MEDIA_TYPES, text);

/** Returns the file extension for a type; `bin` for unknown types. */
export const extensionOf = (type: string): string => (isMediaType(type) ? MEDIA_TYPES[type].extension : 'bin');

const BY_EXTENSION = new Map<string, MediaType>(
  (Object.keys(MEDIA_TYPES) as MediaType[]).map(type => [MEDIA_TYPES[type].extension, type]),
);

/** Returns the type for a key's extension; null when the extension is not in `MEDIA_TYPES`. */
export const typeOfKey = (key: string): MediaType | null =>
  BY_EXTENSION.get(key.slice(key.lastIndexOf('.') + 1)) ?? null;
