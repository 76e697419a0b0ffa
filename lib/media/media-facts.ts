import type { MediaType } from '#lib/storage/media-types';

/** Properties of a media file, found by decoding it or by reading its header. */
export interface MediaFacts {
  contentType: MediaType;
  /** Width in pixels, after rotation; null for audio. */
  width: number | null;
  height: number | null;
  /** Duration in seconds; null for images. */
  duration: number | null;
  hasAudio: boolean;
  /** Whether an image must be re-encoded: it is not a JPEG or PNG, or holds metadata or further images. */
  isRaw: boolean;
}

/** The facts stored in the row of a file. */
export type StoredFacts = Pick<MediaFacts, 'contentType' | 'width' | 'height' | 'duration'>;
