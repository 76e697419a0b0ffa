/** What media there are, and so what models make. */
export const MEDIA_KINDS = ['image', 'video', 'audio'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

/** What people read of each, where it is not a word of the API. */
export const MEDIA_NAMES: Record<MediaKind, string> = { image: 'Images', video: 'Videos', audio: 'Audio' };

/** The kind of a content type such as `image/png`; undefined for anything else. */
export const mediaKindOf = (contentType: string): MediaKind | undefined =>
  MEDIA_KINDS.find(kind => contentType.startsWith(`${kind}/`));
