import { LostJob } from '#lib/engines/drive-engine';
import { EngineError } from '#lib/engines/engine';
import { AppError, causesOf } from '#lib/errors';
import { giveBack, MAX_INTERRUPTIONS, retryLater, type Claim } from '#lib/life/claim';
import { log } from '#lib/log';
import { DecoderKilled } from '#lib/media/decoder';
import { isOutage, throughOutages } from '#lib/outage';
import { isDiskAway } from '#lib/process/disk-away';
import { isDiskOut } from '#lib/worker/room';

/** Signals that interrupt the work on a claim. */
export interface BreakOff {
  /** Aborted when the output is no longer wanted: the request is final, or another worker holds it. */
  stop: AbortSignal;
  /** Aborted when this process stops: the request is left to another process. */
  drain: AbortSignal;
}

/** The request is final, or another worker holds it. */
export class LostClaim extends Error {}

/**
 * Gives a claim back when the request did not cause the error: this process stops, the disk, the store or the database
 * is out, or the engine or decoder that ran it was killed. Returns false when the error counts against the request.
 */
export async function leaveClaim(claim: Claim, error: unknown, { stop, drain }: BreakOff): Promise<boolean> {
  if (stop.aborted || error instanceof LostClaim) return true;
  // if the disk is still writable, the request itself needs more room than there is
  const hasNoRoom = isDiskAway(error);
  if (drain.aborted) await giveBack(claim);
  else if (hasNoRoom ? await isDiskOut(error) : isOurOutage(error)) await retryLater(claim);
  else if (hasNoRoom || wasKilled(error) || error instanceof LostJob) {
    log().warn({ err: error, requestId: claim.id, server: claim.server }, 'generation interrupted; it is retried');
    await retryLater(claim, { interruptions: claim.interruptions + 1 });
  } else return false;
  return true;
}

/**
 * Writes the outcome of a claim, and retries through outages until `signal` is aborted. Returns null when the outcome
 * is no longer wanted (`stop`).
 */
export async function writeWhileWanted<T>(
  write: () => Promise<T>,
  signal: AbortSignal,
  stop: AbortSignal,
): Promise<T | null> {
  try {
    return await throughOutages(write, signal);
  } catch (error) {
    if (stop.aborted) return null;
    throw error;
  }
}

/** Returns why a request may not be run again; null when it may. */
export const heldTooOften = ({ interruptions }: Claim): string | null =>
  interruptions >= MAX_INTERRUPTIONS ? `what held it ended ${MAX_INTERRUPTIONS} times` : null;

/** Whether a decoder process was killed, including one used by an engine of this process. */
const wasKilled = (error: unknown): boolean => causesOf(error).some(cause => cause instanceof DecoderKilled);

/** Whether the database or the store is out; unreachable engines and clients' servers do not count. */
const isOurOutage = (error: unknown): boolean =>
  !(error instanceof EngineError || error instanceof AppError) && isOutage(error);
