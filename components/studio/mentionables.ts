import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { takesMentions } from '#lib/catalog/architecture';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { charactersQuery, referencesQuery } from '#lib/client/queries';

/** A character, a reference or an image of the request itself, as the prompt can name it. */
export interface Mentionable {
  handle: string;
  name: string;
  kind: 'character' | 'object' | 'location' | 'pose' | 'outfit' | 'audio' | 'image';
  image: string | null;
  /** Pictures that it has beside that one. */
  more: number;
  hasVoice: boolean;
  /** Whether the chosen variant takes it. */
  isTaken: boolean;
}

/** Everything of the account that a prompt can mention. */
export function useMentionables(entry: CatalogEntry, modelId: string, images: readonly string[]): Mentionable[] {
  const { data: characters } = useQuery(charactersQuery);
  const { data: references } = useQuery(referencesQuery);
  return useMemo(() => {
    const takesImages = takesMentions(entry, 'references', modelId);
    const takesSounds = takesMentions(entry, 'audio_references', modelId);
    const takesCharacters = takesMentions(entry, 'characters', modelId);
    return [
      ...images.map((image, index): Mentionable => {
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
      ...(characters ?? []).map(({ handle, name, image_url, additional_image_urls, voice_url }): Mentionable => {
        // an audio model hears only the voice of a character
        const isTaken = takesCharacters || (takesSounds && voice_url !== null);
        const hasVoice = voice_url !== null;
        const more = additional_image_urls.length;
        return { handle, name, kind: 'character', image: image_url, more, hasVoice, isTaken };
      }),
      ...(references ?? []).map(({ handle, name, kind, image_url }): Mentionable => {
        const isTaken = kind === 'audio' ? takesSounds : takesImages;
        return { handle, name, kind, image: image_url, more: 0, hasVoice: kind === 'audio', isTaken };
      }),
    ];
  }, [entry, modelId, images, characters, references]);
}
