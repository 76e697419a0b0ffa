import type { Carried } from '#components/carry/carried';
import type { CharacterWire, PictureWire } from '#lib/contract/cast-schemas';

/** Returns an image of a character as `Carried`. */
export const carriedImage = ({ name }: CharacterWire, { url, preview_url }: PictureWire): Carried => ({
  media: 'image',
  url,
  name,
  preview: preview_url,
});
