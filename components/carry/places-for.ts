import type { Carried, Intent } from '#components/carry/carried';
import { slotsOf, type Slot } from '#components/studio/slots';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** An architecture that can take the media, and the slots for it. */
export interface Places {
  entry: CatalogEntry;
  slots: Slot[];
}

const FITS: Partial<Record<Intent, (entry: CatalogEntry, slot: Slot) => boolean>> = {
  edit: ({ type }, { isReference }) => type === 'image' && isReference,
  'edit-with': ({ type }, { isReference }) => type === 'image' && isReference,
  enlarge: ({ type }, { isReference }) => type === 'image' && isReference,
  animate: ({ type }) => type === 'video',
  extend: ({ type, image_inputs }, { field }) => type === 'video' && field === image_inputs.first_frame,
  reference: (_, { isReference }) => isReference,
};

/** Returns the architectures and slots that can take the media for an intent, in the order of the catalog. */
export function placesFor(
  entries: readonly CatalogEntry[],
  carried: readonly Pick<Carried, 'media'>[],
  intent: Intent,
): Places[] {
  const fits = FITS[intent] ?? (() => true);
  const kinds = new Set(carried.map(({ media }) => media));
  return entries
    .map(entry => ({ entry, slots: slotsOf(entry).filter(slot => kinds.has(slot.media) && fits(entry, slot)) }))
    .filter(({ slots }) => slots.length > 0);
}
