import type { Character } from '#lib/cast/characters';
import type { KeptFile } from '#lib/cast/entity-files';
import type { Reference } from '#lib/cast/references';
import type { CharacterWire, PictureWire, ReferenceWire } from '#lib/contract/cast-schemas';
import { storage } from '#lib/storage/store';
import { formsToWire } from '#lib/uploads/forms-to-wire';

/** Converts a character to its form in the API. */
export const characterToWire = ({ row, pictures, voice }: Character): CharacterWire => ({
  id: row.id,
  handle: row.handle,
  name: row.name,
  description: row.description,
  image_url: storage().url(pictures[0].key),
  additional_image_urls: pictures.slice(1).map(({ key }) => storage().url(key)),
  pictures: pictures.map(pictureToWire),
  voice_url: voice && storage().url(voice.key),
  visibility: row.visibility,
  created_at: row.createdAt.toISOString(),
});

/** Converts a reference to its form in the API. */
export function referenceToWire({ row, file }: Reference): ReferenceWire {
  const url = storage().url(file.key);
  const isSound = row.kind === 'audio';
  return {
    id: row.id,
    handle: row.handle,
    name: row.name,
    kind: row.kind,
    description: row.description,
    image_url: isSound ? null : url,
    audio_url: isSound ? url : null,
    picture: isSound ? null : pictureToWire(file),
    created_at: row.createdAt.toISOString(),
  };
}

const pictureToWire = ({ key, bytes, width, height, forms }: KeptFile): PictureWire => {
  const { preview_url, renditions } = formsToWire(forms);
  return { url: storage().url(key), width: width ?? 1, height: height ?? 1, bytes, preview_url, renditions };
};
