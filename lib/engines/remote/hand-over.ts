import { EngineError, type EngineContext, type EngineRef } from '#lib/engines/engine';
import { LostAnswer } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { refusalOf } from '#lib/engines/remote/job-error';
import { log } from '#lib/log';
import { orAborted } from '#lib/process/or-aborted';

/**
 * Runs a call that submits a job and translates its errors into those of the job. A job whose response is lost may have
 * been taken and charged, so the error is not retryable: a resubmit counts as another attempt.
 */
export async function asJob<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (error instanceof LostAnswer) throw new EngineError(error.code, error.message, false, { cause: error.cause });
    throw error instanceof EngineRefusal ? refusalOf(error) : error;
  });
}

/**
 * Submits a job to a server that chooses its id. An abort does not interrupt `create`, since the job might then run,
 * and be charged, under an unknown id. Instead, `create` continues in the background and the created job is cancelled.
 */
export async function handOver(
  create: () => Promise<EngineRef>,
  cancel: (ref: EngineRef) => Promise<unknown>,
  { signal }: EngineContext,
): Promise<EngineRef> {
  signal.throwIfAborted();
  const created = asJob(create());
  try {
    return await orAborted(created, signal);
  } catch (error) {
    if (signal.aborted) void callOff(created.then(cancel));
    throw error;
  }
}

/** Logs a failure to cancel an unwanted job, which may be charged. Never rejects. */
export const callOff = (cancelled: Promise<unknown>): Promise<unknown> =>
  cancelled.catch((error: unknown) => log().info({ err: error }, 'abandoned engine job not cancelled'));
