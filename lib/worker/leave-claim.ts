import { LostJob } from '#lib/engines/drive-engine';
import { EngineError } from '#lib/engines/engine';
import { AppError, causesOf } from '#lib/errors';
import { giveBack, MAX_INTERRUPTIONS, retryLater, type Claim } from '#lib/life/claim';
import { log } from '#lib/log';
import { DecoderKilled } from '#lib/media/decoder';
import { isOutage, throughOutages } from '#lib/outage';
import { isDiskAway } from '#lib/process/disk-away';
import { isDiskOut } from '#lib/worker/room';

/** Who breaks off what is done for a claim. */
export interface BreakOff {
  /** Aborted when nobody wants it any more: the request is final, or another worker has it. */
  stop: AbortSignal;
  /** Aborted when this process stops: the request is left to another one. */
  drain: AbortSignal;
}

/** The request is final, or another worker has it by now. */
export class LostClaim extends Error {}

/**
 * Leaves a claim to whoever comes next when nothing of its own broke it off: this process stops, the disk, the store or the database
 * is out, or what held it was killed. False when the request itself has to answer for the error.
 */
export async function leaveClaim(claim: Claim, error: unknown, { stop, drain }: BreakOff): Promise<boolean> {
  if (stop.aborted || error instanceof LostClaim) return true;
  // where something can be written, this one has no room, now or ever
  const hasNoRoom = isDiskAway(error);
  if (drain.aborted) await giveBack(claim);
  else if (hasNoRoom ? await isDiskOut(error) : isOurOutage(error)) await retryLater(claim);
  else if (hasNoRoom || wasKilled(error) || error instanceof LostJob) {
    log().warn({ err: error, requestId: claim.id, server: claim.server }, 'what held a request ended');
    await retryLater(claim, { interruptions: claim.interruptions + 1 });
  } else return false;
  return true;
}

/**
 * Writes what a claim came to, through outages until `signal` is aborted. Null when nobody wants it any more: whoever says so has
 * reached the database again.
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

/** Why a claim may not be held once more; null while it may. */
export const heldTooOften = ({ interruptions }: Claim): string | null =>
  interruptions >= MAX_INTERRUPTIONS ? `what held it ended ${MAX_INTERRUPTIONS} times` : null;

/** Also where an engine of this process decodes. */
const wasKilled = (error: unknown): boolean => causesOf(error).some(cause => cause instanceof DecoderKilled);

/** What cannot be reached at an engine or a client's server is no outage of ours. */
const isOurOutage = (error: unknown): boolean =>
  !(error instanceof EngineError || error instanceof AppError) && isOutage(error);
