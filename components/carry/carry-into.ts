import type { Carried, Intent } from '#components/carry/carried';
import { nearestShape } from '#components/carry/nearest-shape';
import { modelOf, type Config } from '#components/studio/config';
import { hasSourceVideo } from '#components/studio/media-use';
import { putAll, type Slot } from '#components/studio/slots';
import { countsSource, priceOf } from '#lib/catalog/price';
import { exceedsTotal, takesSeconds } from '#lib/catalog/source-seconds';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import { sum } from '#lib/sum';

/** A draft with carried media in one of its slots. */
interface Filled {
  config: Config;
  /** Number of media for this slot, and how many of them it took. */
  given: number;
  taken: number;
  /** Price of a request; null if it depends on a source video of unknown length. */
  gems: number | null;
  /** Whether the model takes source videos of these lengths, as far as they are known. */
  isFit: boolean;
}

/** Puts the carried media of a slot's kind into a draft, as the intent requires. */
export function carryInto(
  entry: CatalogEntry,
  draft: Config,
  { field, media }: Pick<Slot, 'field' | 'media'>,
  all: readonly Carried[],
  intent: Intent,
): Filled {
  const given = all.filter(one => one.media === media);
  const urls = given.map(({ url }) => url);
  const { config, taken } = putAll(entry, draft, field, urls);
  const { first_frame, last_frame } = entry.image_inputs;
  const isFrame = field === first_frame || field === last_frame;
  const shape = isFrame ? all[0]?.shape : undefined;
  // a video in another aspect ratio would show only a part of its frame
  const inShape = shape ? { ...config, ...nearestShape(entry, config, shape) } : config;
  const isSource = field === entry.video_inputs?.field;
  const lengths = isSource ? given.slice(0, taken.length).map(({ duration }) => duration) : [];
  const known = lengths.filter(one => one !== undefined);
  const filled = fitDuration(entry, told(entry, inShape, intent), known);
  const isMeasured = isSource ? known.length === lengths.length : !hasSourceVideo(entry, config);
  const isPriced = isMeasured || !countsSource(entry, modelOf(entry, config));
  const gems = isPriced ? priceOf(entry, filled.config, { sourceSeconds: sum(known) }) : null;
  return { ...filled, given: given.length, taken: taken.length, gems };
}

/** Returns the config with the longest duration that goes with source videos of these lengths, if its own does not. */
function fitDuration(entry: CatalogEntry, config: Config, lengths: readonly number[]) {
  const { source_video: rule, options, options_by_model } = entry;
  const modelId = modelOf(entry, config);
  if (!rule || lengths.length === 0) return { config, isFit: true };
  const fits = (duration: unknown) => !exceedsTotal(rule, sum(lengths) + Number(duration));
  const isTaken = lengths.every(seconds => takesSeconds(rule, modelId, seconds));
  if (fits(config.duration)) return { config, isFit: isTaken };
  const duration = (options_by_model[modelId]?.duration ?? options.duration)?.findLast(fits);
  return { config: { ...config, duration }, isFit: isTaken && duration !== undefined };
}

/** Returns the config with the prompt and resolution that the intent requires. */
function told(entry: CatalogEntry, config: Config, intent: Intent): Config {
  if (intent === 'edit-with') return { ...config, prompt: '' };
  if (intent !== 'enlarge') return config;
  const sizes = entry.options_by_model[String(config.model_id)]?.resolution ?? entry.options.resolution;
  return {
    ...config,
    prompt: 'The very same image, larger, with finer detail',
    ...(sizes && { resolution: sizes.at(-1) }),
  };
}
