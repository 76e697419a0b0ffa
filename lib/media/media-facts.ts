import type { MediaType } from '#lib/storage/media-types';

/** What decoding a file showed. */
export interface MediaFacts {
  contentType: MediaType;
  /** Pixels, upright; null for sound. */
  width: number | null;
  height: number | null;
  /** Seconds; null for images. */
  duration: number | null;
  hasAudio: boolean;
  /** A picture that has to be remade: it is no JPEG or PNG, or carries more than its pixels, such as where it was taken. */
  isRaw: boolean;
}

/** What the row of a file has of it. */
export type StoredFacts = Pick<MediaFacts, 'contentType' | 'width' | 'height' | 'duration'>;
