import type { CatalogEntry } from '#lib/contract/catalog-entry';

// Limits for the length of source videos. Pure: the browser uses these functions, too.

type SourceVideo = NonNullable<CatalogEntry['source_video']>;

/** In seconds. Containers round their length up to whole frames: a clip cut at 15 s often reports 15.04. */
const TOLERANCE = 0.1;

/** Returns the minimum and maximum length of a source video for a variant, in seconds. */
export const sourceSecondsOf = ({ seconds, seconds_by_model }: SourceVideo, modelId: string): [number, number] =>
  seconds_by_model[modelId] ?? seconds;

/** Whether a variant takes a source video of this length. */
export function takesSeconds(rule: SourceVideo, modelId: string, seconds: number): boolean {
  const [shortest, longest] = sourceSecondsOf(rule, modelId);
  return seconds >= shortest - TOLERANCE && seconds <= longest + TOLERANCE;
}

/** Whether the source videos and the output have too many seconds together. */
export const exceedsTotal = ({ max_total_seconds = Infinity }: SourceVideo, total: number): boolean =>
  total > max_total_seconds + TOLERANCE;
