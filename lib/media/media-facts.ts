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
  /** An image that carries more than its pixels: where and when it was taken, how to turn it. */
  hasMetadata: boolean;
}
