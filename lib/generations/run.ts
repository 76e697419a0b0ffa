import { EngineError, type EngineErrorCode, type EngineJob, type JobInput } from '#lib/engines/engine';
import { getEngine } from '#lib/engines/registry';
import { env } from '#lib/env';
import { claimGeneration, reportProgress, saveEngineRef, type Claim } from '#lib/generations/claim';
import { driveEngine } from '#lib/generations/drive-engine';
import { MAX_ATTEMPTS } from '#lib/generations/generation';
import { withInputFiles } from '#lib/generations/inputs';
import { settleGeneration } from '#lib/generations/settle';
import { dropOutput, storeOutput } from '#lib/generations/store-output';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** What a client reads when its request failed; the cause goes to the log. */
const FAILURES: Record<EngineErrorCode, string> = {
  invalid_input:
    'The model could not use the given prompt or media. Change them and submit again; the gems were refunded.',
  model_missing: 'The model is not installed on this deployment. Choose another model; the gems were refunded.',
  out_of_memory:
    'The model ran out of memory. Choose a lower resolution or a shorter duration; the gems were refunded.',
  engine_unavailable: 'The engine could not be reached. Submit again later; the gems were refunded.',
  engine_error: 'The engine failed on this request. Submit again, with another seed or prompt; the gems were refunded.',
  timeout: 'The generation took too long and was stopped. Submit again; the gems were refunded.',
};

/** The generations that this process runs, so that a cancellation finds them. */
const running = () => singleton('generations.running', () => new Map<string, AbortController>());

/** Stops a generation that this process runs; nothing happens when it runs elsewhere or not at all. */
export const stopGeneration = (id: string): void => running().get(id)?.abort();

/**
 * Runs a request to its end, as the holder of a fresh claim. Returns when the request is final or another holder has taken
 * over; throws when another attempt is to be made. `signal` tells that the process stops or the queue took the job back.
 */
export async function runGeneration(id: string, signal: AbortSignal): Promise<void> {
  const claim = await claimGeneration(id);
  if (!claim) return;
  log().info({ requestId: id, attempt: claim.attempt, engine: claim.engine }, 'generation started');
  if (claim.attempt > MAX_ATTEMPTS) return fail(claim, 'engine_error', `gave up after ${MAX_ATTEMPTS} attempts`);

  // aborted when nobody wants the output any more: cancelled, or another worker took over
  const stop = new AbortController();
  const timeout = AbortSignal.timeout(env().GENERATION_TIMEOUT * 1000);
  running().set(id, stop);
  try {
    await complete(claim, stop, AbortSignal.any([stop.signal, timeout]), signal);
  } catch (error) {
    if (stop.signal.aborted) return;
    if (signal.aborted) throw error;
    const cause = timeout.aborted
      ? new EngineError('timeout', 'the attempt took too long', false, { cause: error })
      : error;
    await failOrRetry(claim, cause);
  } finally {
    running().delete(id);
  }
}

async function complete(
  claim: Claim,
  stop: AbortController,
  abandoned: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  const engine = await getEngine(claim.engine);
  const context = { signal: AbortSignal.any([abandoned, signal]) };
  const holdOn = (held: boolean) => void (held || stop.abort());
  const result = await withInputFiles(claim.inputs, async inputs => {
    const output = await driveEngine({
      engine,
      job: toJob(claim, inputs),
      saved: claim.engineRef,
      saveRef: async ref => holdOn(await saveEngineRef(claim, ref)),
      onProgress: everyHalfSecond(async progress => holdOn(await reportProgress(claim, progress))),
      context,
      abandoned,
    });
    return storeOutput(claim, engine, output, context);
  });
  const settled = await settleGeneration(claim, { status: 'completed', result });
  if (!settled) await dropOutput(result);
}

const toJob = (claim: Claim, inputs: JobInput[]): EngineJob => ({
  requestId: claim.id,
  attempt: claim.attempt,
  architecture: claim.architecture,
  modelId: claim.modelId,
  // an escaped @ is no mention, just an @
  prompt: claim.prompt.replaceAll('\\@', '@'),
  seed: claim.seed,
  config: claim.config,
  output: claim.output,
  inputs,
});

/** Lets a value through at most twice a second; a write that fails is logged, for the next one will do. */
function everyHalfSecond(write: (value: number) => Promise<void>): (value: number) => void {
  let last = 0;
  return value => {
    if (Date.now() - last < 500) return;
    last = Date.now();
    write(value).catch((error: unknown) => log().warn({ err: error }, 'progress not written'));
  };
}

async function failOrRetry(claim: Claim, error: unknown): Promise<void> {
  const cause =
    error instanceof EngineError ? error : new EngineError('engine_error', 'unexpected error', true, { cause: error });
  log().error({ err: cause, requestId: claim.id, attempt: claim.attempt, engine: claim.engine }, 'attempt failed');
  if (cause.retryable && claim.attempt < MAX_ATTEMPTS) throw cause;
  await fail(claim, cause.code, story(cause));
}

const fail = async (claim: Claim, code: EngineErrorCode, cause: string): Promise<void> =>
  void (await settleGeneration(claim, { status: 'failed', message: FAILURES[code], cause: `${code}: ${cause}` }));

/** An error and what it came from, in a line that the database takes. */
function story(error: unknown): string {
  const steps: string[] = [];
  for (let step = error; step instanceof Error && steps.length < 5; step = step.cause) steps.push(step.message);
  return steps.join(' ← ').replaceAll('\0', '').toWellFormed();
}
