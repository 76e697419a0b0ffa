import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** Where an address of this use goes in the config; null where the architecture does not take it. */
export function fieldFor(entry: CatalogEntry, use: MediaUse): { field: string; isList: boolean } | null {
  const { first_frame, references } = entry.image_inputs;
  const name = { first_frame, reference: references?.field, source_video: entry.video_inputs?.field }[use];
  if (!name) return null;
  return { field: name, isList: entry.input_schema.properties[name]?.type === 'array' };
}

/** What a finished result can be used for next. */
export type MediaUse = 'first_frame' | 'reference' | 'source_video';
