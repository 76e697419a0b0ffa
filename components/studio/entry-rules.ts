import type { CatalogEntry } from '#lib/catalog/to-entry';

type MentionKind = 'characters' | 'references' | 'audio_references';

/** Whether a variant takes mentions of this kind. */
export function takesMentions({ mentions }: CatalogEntry, kind: MentionKind, modelId: string): boolean {
  const models = mentions[kind];
  return models === 'all' || (models?.includes(modelId) ?? false);
}

export const takesAnyMention = (entry: CatalogEntry, modelId: string): boolean =>
  takesMentions(entry, 'characters', modelId) ||
  takesMentions(entry, 'references', modelId) ||
  takesMentions(entry, 'audio_references', modelId);

/** Most reference images, of fields and mentions together. */
export const maxImagesOf = ({ max_images, max_images_by_model }: CatalogEntry, modelId: string): number =>
  max_images_by_model[modelId] ?? max_images;

/** Where an address of this use goes in the config; null where the architecture does not take it. */
export function fieldFor(entry: CatalogEntry, use: MediaUse): { field: string; isList: boolean } | null {
  const { first_frame, references } = entry.image_inputs;
  const name = { first_frame, reference: references?.field, source_video: entry.video_inputs?.field }[use];
  if (!name) return null;
  return { field: name, isList: entry.input_schema.properties[name]?.type === 'array' };
}

/** What a finished result can be used for next. */
export type MediaUse = 'first_frame' | 'reference' | 'source_video';
