import type { Carried } from '#components/carry/carried';
import type { CharacterWire } from '#lib/contract/cast-schemas';

/** A picture of a character, in hand. */
export const carriedPicture = ({ name }: CharacterWire, url: string): Carried => ({
  media: 'image',
  url,
  name,
  preview: url,
});
