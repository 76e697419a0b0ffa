import type { Architecture } from '#lib/catalog/catalog-file';
import { AppError, type Issue } from '#lib/errors';
import { findMediaIssues, type MediaSlot } from '#lib/generations/collect-media';
import { pointer } from '#lib/issue';
import { isOwnAddress } from '#lib/uploads/key-of-url';
import { measureSourceVideo } from '#lib/uploads/measure-source-video';

/** Measured source videos, by the JSON pointer of their value. */
export interface MeasuredVideos {
  videos: Map<string, { duration: number; width: number; height: number }>;
  issues: Issue[];
}

/** Whether the price or output of the architecture depends on the measures of a source video. */
const countsLength = ({ price, source_video }: Architecture): boolean =>
  price.seconds?.source !== undefined || source_video?.output_follows === true;

/** A body as far as it was read, with its issues. */
interface JudgedBody {
  architecture: Architecture;
  slots: readonly MediaSlot[];
  /** Valid files of lists that were refused because of other files. */
  others: readonly MediaSlot[];
  issues: readonly Issue[];
}

/**
 * Checks the files of a body without opening them, and measures its source videos from their headers. Videos are
 * measured despite other issues of the body, but not those that are refused themselves or that the model variant does
 * not take.
 */
export async function lookAtMedia(
  accountId: string,
  { architecture, slots, others, issues }: JudgedBody,
  signal: AbortSignal | undefined,
): Promise<MeasuredVideos> {
  const found = await findMediaIssues(accountId, [...slots, ...others]);
  const measured = await measureVideos(accountId, architecture, unblamed(slots, [...issues, ...found]), signal);
  return { ...measured, issues: [...found, ...measured.issues] };
}

/** Returns the files without an issue of their own, of their field, or of the model variant. */
export function unblamed(slots: readonly MediaSlot[], issues: readonly Issue[]): MediaSlot[] {
  const blamed = new Set(issues.map(({ path }) => path));
  return slots.filter(({ field, path }) => ![path, pointer(field), '/model_id'].some(one => blamed.has(one)));
}

/**
 * Measures the source videos from their headers: local ones always, remote ones only where the price or the output
 * depends on their measures.
 */
async function measureVideos(
  accountId: string,
  architecture: Architecture,
  slots: readonly MediaSlot[],
  signal: AbortSignal | undefined,
): Promise<MeasuredVideos> {
  const measured: MeasuredVideos = { videos: new Map(), issues: [] };
  const here = (value: string) => isOwnAddress(value) || /^data:/i.test(value);
  const wanted = slots.filter(
    ({ role, value }) => role === 'source_video' && (here(value) || countsLength(architecture)),
  );
  for (const { value, path } of wanted) {
    try {
      const facts = await measureSourceVideo(accountId, value, { path, signal });
      measured.videos.set(path, facts);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'invalid_config')) throw error;
      measured.issues.push(...(error.extra.issues ?? [{ path, message: error.message }]));
    }
  }
  return measured;
}
