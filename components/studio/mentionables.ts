import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { MediaFile } from '#components/media/picture';
import { useMediaFiles } from '#components/media/use-media-files';
import type { MentionKind } from '#lib/catalog/architecture';
import { charactersQuery, referencesQuery } from '#lib/client/cast-queries';

/** A character, a reference or an image of the request itself, which the prompt can mention. */
export interface Mentionable {
  handle: string;
  name: string;
  kind: 'character' | 'object' | 'location' | 'pose' | 'outfit' | 'audio' | 'image';
  image: MediaFile | null;
  /** Number of images besides `image`. */
  more: number;
  hasVoice: boolean;
  /** Whether the selected variant takes it. */
  isTaken: boolean;
}

/** Returns everything that a prompt can mention: images of the request itself, and what the account has saved. */
export function useMentionables(
  /** Whether the selected variant takes mentions of a kind. */
  takes: (kind: MentionKind) => boolean,
  images: readonly string[],
): Mentionable[] {
  const takesImages = takes('references');
  const takesSounds = takes('audio_references');
  const takesCharacters = takes('characters');
  const { data: characters } = useQuery(charactersQuery);
  const { data: references } = useQuery(referencesQuery);
  const files = useMediaFiles(images);
  return useMemo(() => {
    return [
      ...files.map((image, index): Mentionable => {
        const handle = `image${index + 1}`;
        return {
          handle,
          name: `Image ${index + 1} of this form`,
          kind: 'image',
          image,
          more: 0,
          hasVoice: false,
          isTaken: true,
        };
      }),
      ...(characters ?? []).map(({ handle, name, pictures: [image = null, ...others], voice_url }): Mentionable => {
        // an audio model uses only the voice of a character
        const isTaken = takesCharacters || (takesSounds && voice_url !== null);
        const hasVoice = voice_url !== null;
        return { handle, name, kind: 'character', image, more: others.length, hasVoice, isTaken };
      }),
      ...(references ?? []).map(({ handle, name, kind, picture }): Mentionable => {
        const isTaken = kind === 'audio' ? takesSounds : takesImages;
        return { handle, name, kind, image: picture, more: 0, hasVoice: kind === 'audio', isTaken };
      }),
    ];
  }, [takesImages, takesSounds, takesCharacters, files, characters, references]);
}
