/** Kinds of media, and thus of what models make. */
export const MEDIA_KINDS = ['image', 'video', 'audio'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Display names of the kinds. */
export const MEDIA_NAMES: Record<MediaKind, string> = { image: 'Images', video: 'Videos', audio: 'Audio' };

/** Returns the kind of media for a content type such as `image/png`; undefined for any other type. */
export const mediaKindOf = (contentType: string): MediaKind | undefined =>
  MEDIA_KINDS.find(kind => contentType.startsWith(`${kind}/`));
