import type { api } from '#lib/client/queries';
import type { MediaKind } from '#lib/media-kind';

type DeclaredType = Parameters<typeof api.createUpload>[0]['body']['content_type'];

export const ACCEPTED_TYPES: Record<MediaKind, readonly DeclaredType[]> = {
  image: ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'],
  video: ['video/mp4', 'video/quicktime', 'video/webm'],
  audio: ['audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/wave', 'audio/x-wav'],
};

/** The `accept` of a file input for this kind of media. */
export const acceptOf = (media: keyof typeof ACCEPTED_TYPES): string => ACCEPTED_TYPES[media].join(',');
