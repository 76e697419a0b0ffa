import type { CatalogEntry, OptionsByModel } from '#lib/contract/catalog-entry';
import type { Architecture } from '#lib/catalog/catalog-file';

// Facts about single variants of an architecture. Pure: the browser uses these functions with wire entries.

type Defaults = CatalogEntry['base_config'];
export const MENTION_KINDS = ['characters', 'references', 'audio_references'] as const;
export type MentionKind = (typeof MENTION_KINDS)[number];

/** Returns the tokens that a variant accepts in a field; undefined where the field has no list of tokens. */
export const tokensOf = (
  { fields, options_by_model }: Pick<Architecture, 'fields' | 'options_by_model'>,
  field: string,
  modelId: string,
): string[] | undefined => options_by_model[modelId]?.[field] ?? fields[field]?.enum;

/**
 * Returns the default config of a variant: the architecture's default, or the first accepted token where the variant
 * does not accept it. For a wire entry: `variantDefaults(entry.base_config, entry.options_by_model, modelId)`.
 */
export function variantDefaults(base: Readonly<Defaults>, optionsByModel: OptionsByModel, modelId: string): Defaults {
  const defaults = Object.entries(base).map(([name, value]) => {
    const tokens = optionsByModel[modelId]?.[name];
    return [name, tokens && !tokens.includes(String(value)) ? tokens[0] : value];
  });
  return { ...Object.fromEntries(defaults), model_id: modelId };
}

export function defaultsOf(
  { fields, options_by_model }: Pick<Architecture, 'fields' | 'options_by_model'>,
  modelId: string,
): Defaults {
  const base = Object.entries(fields).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default]],
  );
  return variantDefaults(Object.fromEntries(base), options_by_model, modelId);
}

/** Returns the maximum number of reference images of a request to a variant, including those of mentions. */
export const mostImagesOf = (
  architecture: Pick<Architecture, 'max_images' | 'max_images_by_model' | 'source_video'>,
  modelId: string,
  hasSourceVideo: boolean,
): number =>
  Math.min(
    architecture.max_images_by_model[modelId] ?? architecture.max_images,
    (hasSourceVideo ? architecture.source_video?.max_images : undefined) ?? Infinity,
  );

/** Whether a variant accepts mentions of this kind. */
export const takesMentions = (
  { mentions }: Pick<CatalogEntry, 'mentions'>,
  kind: MentionKind,
  modelId: string,
): boolean => mentions[kind].includes(modelId);

/** Whether prompts of a variant can mention more than the images of the request. */
export const takesAnyMention = (entry: Pick<CatalogEntry, 'mentions'>, modelId: string): boolean =>
  MENTION_KINDS.some(kind => takesMentions(entry, kind, modelId));
