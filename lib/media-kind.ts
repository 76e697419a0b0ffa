/** What media there are, and so what models make. */
export const MEDIA_KINDS = ['image', 'video', 'audio'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];
