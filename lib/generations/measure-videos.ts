import type { Architecture } from '#lib/catalog/catalog-file';
import { AppError, type Issue } from '#lib/errors';
import { findMediaIssues, type MediaSlot } from '#lib/generations/collect-media';
import { pointer } from '#lib/issue';
import { isOwnAddress } from '#lib/uploads/key-of-url';
import { measureSourceVideo } from '#lib/uploads/measure-source-video';

/** Length and shape of source videos, by the pointer of their field. */
export interface MeasuredVideos {
  videos: Map<string, { duration: number; width: number; height: number }>;
  issues: Issue[];
}

/** Whether price or output of the architecture depend on the length and shape of a source video. */
const countsLength = ({ price, source_video }: Architecture): boolean =>
  price.seconds?.source !== undefined || source_video?.output_follows === true;

/** A body as far as it was read, and what is wrong with it. */
interface JudgedBody {
  architecture: Architecture;
  slots: readonly MediaSlot[];
  /** Of lists that are refused for some of their files, the others. */
  others: readonly MediaSlot[];
  issues: readonly Issue[];
}

/**
 * What shows of the files of a body without opening them, and of its source videos from their headers. What else is wrong with it
 * does not make a film shorter; but one that is refused as it is, or that the variant may not take, has no length.
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

/** The files that no issue is about: none of its own, none of their number, none of the variant that is to take them. */
export function unblamed(slots: readonly MediaSlot[], issues: readonly Issue[]): MediaSlot[] {
  const blamed = new Set(issues.map(({ path }) => path));
  return slots.filter(({ field, path }) => ![path, pointer(field), '/model_id'].some(one => blamed.has(one)));
}

/**
 * Reads how long the source videos are, from their headers: of what is here, and of what would have to be fetched only where the
 * price waits for it.
 */
export async function measureVideos(
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
