import { eq } from 'drizzle-orm';
import pMap from 'p-map';
import { catalog } from '#lib/catalog/catalog';
import { checkSourceSeconds } from '#lib/catalog/check-media-rules';
import { db } from '#lib/db/client';
import { requests, type RemoteInput, type StoredInput } from '#lib/db/schema';
import { AppError, invalid, requireValid } from '#lib/errors';
import { placeOf, pointer } from '#lib/issue';
import { claimUnfetched, giveBack, heldBy, type Claim } from '#lib/life/claim';
import { finish } from '#lib/life/finish';
import { log } from '#lib/log';
import { storage } from '#lib/storage/store';
import { discardInputs } from '#lib/uploads/discard-inputs';
import { fetchMediaInput } from '#lib/uploads/fetch-media-input';
import type { MediaInput } from '#lib/uploads/media-input';
import { heldTooOften, leaveClaim, writeWhileWanted } from '#lib/worker/leave-claim';

/** Maximum number of requests whose media this process fetches concurrently, in total and per account. */
export const FETCHED_AT_A_TIME = 32;
const OF_ONE_ACCOUNT = 4;
/** Maximum number of files of one request fetched concurrently. */
const FILES_AT_ONCE = 4;
/** Tolerance for the rounded duration in a container; a file that exceeds it has changed since it was priced. */
const LONGER_SECONDS = 1;

/** Claims requests whose media are not fetched yet. */
export const claimFetches = (worker: string, room: number): Promise<Claim[]> =>
  claimUnfetched(worker, room, OF_ONE_ACCOUNT);

/** Fetches the files that a request names by URL. The request then waits for a server, or fails and is refunded. */
export async function fetchMedia(claim: Claim, stop: AbortSignal, drain: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stop, drain]);
  try {
    const reason = heldTooOften(claim);
    if (reason) throw new Error(reason);
    const files = await fetchAll(claim, signal);
    const handover = { ...filledIn(claim, files), fetched: true };
    const given = await writeWhileWanted(() => giveBack(claim, handover), signal, stop);
    if (!given) await discard(await withoutThoseOf(claim, files));
  } catch (error) {
    if (await leaveClaim(claim, error, { stop, drain })) return;
    if (!(error instanceof AppError)) log().error({ err: error, requestId: claim.id }, 'media not fetched');
    await finish(heldBy(claim), { status: 'failed', ...explain(error) });
  }
}

function explain(error: unknown): { message: string; cause: string } {
  if (error instanceof AppError)
    return { message: `${error.message} The gems were refunded.`, cause: `fetch: ${error.message}` };
  const message = 'The media of this request could not be taken in. Submit again; the gems were refunded.';
  return { message, cause: `fetch: ${String(error)}` };
}

/** Returns the request's inputs and fields with the fetched files filled in. */
function filledIn(claim: Claim, fetched: readonly (MediaInput | null)[]): Pick<Claim, 'inputs' | 'body' | 'config'> {
  const { inputs } = claim;
  const [body, config] = [structuredClone(claim.body), structuredClone(claim.config)];
  const found = inputs.map((input, at): StoredInput => {
    const file = fetched[at];
    if (!file || !input.remote) return input;
    for (const fields of [body, config]) place(fields, input.remote, storage().url(file.key));
    const { remote: _, ...known } = input;
    return { ...known, mediaId: file.mediaId };
  });
  return { inputs: found, body, config };
}

/**
 * Fetches all remote files of a request; the result has the order of its inputs. One failure aborts the others and
 * discards all files.
 */
async function fetchAll(claim: Claim, signal: AbortSignal): Promise<(MediaInput | null)[]> {
  const failure = new AbortController();
  const ended = AbortSignal.any([signal, failure.signal]);
  const tryOne = async ({ remote }: StoredInput) => {
    if (!remote || ended.aborted) return null;
    const { address, kind } = remote;
    const field = { path: pathOf(remote), signal: ended };
    return fetchMediaInput(claim.accountId, address, kind, field).catch((error: unknown) => {
      failure.abort(error);
      return null;
    });
  };
  const fetched = await pMap(claim.inputs, tryOne, { concurrency: FILES_AT_ONCE });
  try {
    ended.throwIfAborted();
    for (const [at, file] of fetched.entries()) if (file) checkLength(claim.inputs[at]!.remote!, file);
    checkVideos(claim, fetched);
    return fetched;
  } catch (error) {
    await discard(fetched);
    throw error;
  }
}

const discard = (fetched: readonly (MediaInput | null)[]) => discardInputs(fetched.filter(file => file !== null));

/** Omits files that the request uses: the write may have succeeded although its response was lost in an outage. */
async function withoutThoseOf({ id }: Claim, files: readonly (MediaInput | null)[]) {
  const [request] = await db().select({ inputs: requests.inputs }).from(requests).where(eq(requests.id, id));
  const kept = request?.inputs.map(({ mediaId }) => mediaId);
  return files.filter(file => !kept?.includes(file?.mediaId ?? null));
}

const pathOf = ({ field, index }: RemoteInput) => (index === undefined ? pointer(field) : pointer(field, index));

/** Throws `invalid_config` when a video is longer than it was when the request was priced. */
function checkLength(remote: RemoteInput, { duration }: MediaInput): void {
  const { measured } = remote;
  if (!measured || (duration ?? 0) <= measured.duration + LONGER_SECONDS) return;
  const path = pathOf(remote);
  const message = `${placeOf(path)} is longer than it was when the price was made: ${duration} s, not ${measured.duration} s.`;
  throw invalid('invalid_config', [{ path, message }]);
}

/** Checks the durations of source videos, which are known only now where the price does not depend on them. */
function checkVideos({ architecture: id, config, inputs }: Claim, fetched: readonly (MediaInput | null)[]): void {
  const architecture = catalog().find(id);
  const lengths = inputs.flatMap(({ role }, at) => (role === 'source_video' ? [fetched[at]?.duration ?? null] : []));
  if (architecture) requireValid(checkSourceSeconds(architecture, config, lengths));
}

function place(fields: Record<string, unknown>, { field, index }: RemoteInput, url: string): void {
  const value = fields[field];
  if (index !== undefined && Array.isArray(value)) value[index] = url;
  else fields[field] = url;
}
