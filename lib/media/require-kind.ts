import type { MediaKind } from '#lib/media-kind';
import { UnusableMedia } from '#lib/media/unusable-media';
import { MEDIA_TYPES, isMediaType } from '#lib/storage/media-types';

/** Files of each kind that are supported, in words. */
export const TAKES: Record<MediaKind, string> = {
  image: 'a JPEG, PNG, WebP, AVIF or GIF image',
  video: 'an MP4, MOV or WebM video',
  audio: 'an MP3 or WAV audio file',
};

/** Throws `UnusableMedia`, which says what the field accepts, when a file is of another kind. */
export function requireKind(contentType: string, kind: MediaKind): void {
  if (isMediaType(contentType) && MEDIA_TYPES[contentType].kind === kind) return;
  throw new UnusableMedia(`The file is ${contentType}; this field takes ${TAKES[kind]}.`);
}
