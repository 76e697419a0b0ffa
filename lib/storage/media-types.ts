import type { MediaKind } from '#lib/media-kind';

/** Every type that is stored and served, and the extension that carries it in a key. Nothing else is. */
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

/** The extension for the name of a file of the type. */
export const extensionOf = (type: string): string => (isMediaType(type) ? MEDIA_TYPES[type].extension : 'bin');

const BY_EXTENSION = new Map<string, MediaType>(
  (Object.keys(MEDIA_TYPES) as MediaType[]).map(type => [MEDIA_TYPES[type].extension, type]),
);

/** The type that a key says its object has; null for an extension that is not in the table. */
export const typeOfKey = (key: string): MediaType | null =>
  BY_EXTENSION.get(key.slice(key.lastIndexOf('.') + 1)) ?? null;
