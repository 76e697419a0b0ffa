import type { Character } from '#lib/cast/characters';
import type { Reference } from '#lib/cast/references';
import type { CharacterWire, ReferenceWire } from '#lib/contract/cast-schemas';
import { storage } from '#lib/storage/store';

/** A character as the API shows it. */
export const characterToWire = ({ row, pictures, voice }: Character): CharacterWire => ({
  id: row.id,
  handle: row.handle,
  name: row.name,
  description: row.description,
  image_url: storage().url(pictures[0].key),
  additional_image_urls: pictures.slice(1).map(({ key }) => storage().url(key)),
  voice_url: voice && storage().url(voice.key),
  visibility: row.visibility,
  created_at: row.createdAt.toISOString(),
});

/** A reference as the API shows it. */
export function referenceToWire({ row, mediaKey }: Reference): ReferenceWire {
  const url = storage().url(mediaKey);
  const isSound = row.kind === 'audio';
  return {
    id: row.id,
    handle: row.handle,
    name: row.name,
    kind: row.kind,
    description: row.description,
    image_url: isSound ? null : url,
    audio_url: isSound ? url : null,
    created_at: row.createdAt.toISOString(),
  };
}
