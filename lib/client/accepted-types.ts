import { DECLARED_TYPES, type DeclaredType } from '#lib/contract/upload-types';
import { mediaKindOf, type MediaKind } from '#lib/media-kind';

export const acceptedTypes = (media: MediaKind): DeclaredType[] =>
  DECLARED_TYPES.filter(type => mediaKindOf(type) === media);

/** Returns the `accept` attribute of a file input for this kind of media. */
export const acceptOf = (media: MediaKind): string => acceptedTypes(media).join(',');
