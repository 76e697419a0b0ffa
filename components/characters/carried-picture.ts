import type { Carried } from '#components/carry/carried';
import type { CharacterWire, PictureWire } from '#lib/contract/cast-schemas';

/** A picture of a character, in hand. */
export const carriedPicture = ({ name }: CharacterWire, { url, preview_url }: PictureWire): Carried => ({
  media: 'image',
  url,
  name,
  preview: preview_url,
});
