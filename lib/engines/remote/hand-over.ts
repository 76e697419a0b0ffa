import { EngineError, type EngineContext, type EngineRef } from '#lib/engines/engine';
import { LostAnswer } from '#lib/engines/engine-http';
import { EngineRefusal } from '#lib/engines/engine-refusal';
import { refusalOf } from '#lib/engines/remote/job-error';
import { log } from '#lib/log';
import { orAborted } from '#lib/process/or-aborted';

/**
 * Runs a call that submits a job; what it is refused for is the job's. One whose answer is lost may have been taken and may be
 * paid for, so it is not free to submit it again.
 */
export async function asJob<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (error instanceof LostAnswer) throw new EngineError(error.code, error.message, false, { cause: error.cause });
    throw error instanceof EngineRefusal ? refusalOf(error) : error;
  });
}

/**
 * Submits a job to a server that makes its id. `create` is not told of an abort: whoever breaks it off does not know what
 * runs at the server then, and may have to pay for it. It is awaited out of sight instead, and what it made is cancelled.
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

/** The cancellation of a job that nobody wants, and that may have to be paid for. Never rejects. */
export const callOff = (cancelled: Promise<unknown>): Promise<unknown> =>
  cancelled.catch((error: unknown) => log().info({ err: error }, 'a job that nobody wants was not cancelled'));
