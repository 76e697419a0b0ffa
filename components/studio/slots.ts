import { fitConfig, modelOf, type Config } from '#components/studio/config';
import { mediaUse } from '#components/studio/media-use';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { MediaKind } from '#lib/media-kind';
import { sum } from '#lib/sum';

/** A place for media in a model's form. */
export interface Slot {
  field: string;
  title: string;
  media: MediaKind;
  /** Whether its media are references, which prompts can mention. */
  isReference: boolean;
}

/** Returns the slots of a model. The list of additional references shares a slot with the first reference. */
export function slotsOf({ image_inputs, input_schema }: CatalogEntry): Slot[] {
  const { references } = image_inputs;
  return Object.entries(input_schema.properties).flatMap(([field, property]) => {
    const media = property['x-media'] as MediaKind | undefined;
    if (!media || field === references?.additional_field) return [];
    return [{ field, title: String(property.title ?? field), media, isReference: field === references?.field }];
  });
}

const urlsOf = (value: unknown): unknown[] => [value ?? []].flat();

/** Returns the config with a URL in a slot: in its first free place, or replacing the last URL of a full slot. */
function putMedia(entry: CatalogEntry, config: Config, field: string, url: string): Config {
  const { references } = entry.image_inputs;
  const more = field === references?.field ? references.additional_field : null;
  const target = config[field] && more ? more : field;
  const property = entry.input_schema.properties[target];
  if (property?.type !== 'array') return { ...config, [target]: url };
  return { ...config, [target]: [...urlsOf(config[target]).slice(0, mostOf(property) - 1), url] };
}

/** Returns how many more URLs a slot takes besides those it holds and the pending uploads to the `awaited` fields. */
export function roomOf(entry: CatalogEntry, config: Config, field: string, awaited: readonly string[]): number {
  const soon = soonOf(entry, config, awaited);
  const { field: first, additional_field: more } = entry.image_inputs.references ?? {};
  const fields = field === first && more ? [field, more] : [field];
  const room = sum(fields.map(name => mostOf(entry.input_schema.properties[name]) - urlsOf(soon[name]).length));
  const { images } = mediaUse(entry, soon, []);
  const isReference = field === first || field === more;
  return isReference ? Math.min(room, images.most - images.used) : room;
}

const mostOf = ({ type, maxItems }: Record<string, unknown> = {}): number =>
  type === 'array' ? Number(maxItems ?? Infinity) : 1;

/** Returns the config as it will be when the pending uploads to the `awaited` fields are done. */
const soonOf = (entry: CatalogEntry, config: Config, awaited: readonly string[]): Config =>
  awaited.reduce((now, field) => putMedia(entry, now, field, 'on its way'), config);

/**
 * Returns the config with as many of the URLs as a slot takes (in a full slot, one replaces the last), and those URLs.
 * The places of pending uploads to the `awaited` fields are never used. A source video selects a variant that takes one.
 */
export function putAll(
  entry: CatalogEntry,
  config: Config,
  field: string,
  urls: readonly string[],
  awaited: readonly string[] = [],
) {
  const room = roomOf(entry, config, field, awaited);
  const taken = urls.slice(0, Math.max(awaited.length > 0 ? 0 : 1, room));
  const next = taken.reduce((now, url) => putMedia(entry, now, field, url), config);
  const models = field === entry.video_inputs?.field ? entry.source_video?.models : undefined;
  const isFit = !models || models.includes(modelOf(entry, next));
  return { config: isFit ? next : fitConfig(entry, { ...next, model_id: models[0] }).config, taken };
}

/**
 * Returns the slot for media dropped outside all slots: the first that is empty, or has room, else the references,
 * whose last one is replaced. The places of pending uploads to the `awaited` fields are never used.
 */
export function freeSlot(
  entry: CatalogEntry,
  config: Config,
  media: MediaKind,
  awaited: readonly string[],
): Slot | undefined {
  const soon = soonOf(entry, config, awaited);
  const fitting = slotsOf(entry).filter(slot => slot.media === media);
  return (
    fitting.find(({ field }) => urlsOf(soon[field]).length === 0) ??
    fitting.find(({ field }) => roomOf(entry, config, field, awaited) > 0) ??
    (awaited.length === 0 ? fitting.find(slot => slot.isReference) : undefined)
  );
}
