import type { Carried } from '#components/carry/carried';
import type { CharacterWire, PictureWire } from '#lib/contract/cast-schemas';

/** An image of a character, in hand. */
export const carriedImage = ({ name }: CharacterWire, { url, preview_url }: PictureWire): Carried => ({
  media: 'image',
  url,
  name,
  preview: preview_url,
});
