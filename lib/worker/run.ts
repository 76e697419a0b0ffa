import { storable } from '#lib/db/storable';
import {
  EngineError,
  LostOutput,
  type Engine,
  type EngineErrorCode,
  type EngineJob,
  type JobInput,
  type Snapshot,
} from '#lib/engines/engine';
import type { Server } from '#lib/engines/server';
import { env } from '#lib/env';
import { InputGone, withInputFiles } from '#lib/generations/inputs';
import { heldBy, leavePlace, MAX_ATTEMPTS, retryLater, saveEngineRef, type Claim } from '#lib/life/claim';
import { causesOf } from '#lib/errors';
import { finish } from '#lib/life/finish';
import { log } from '#lib/log';
import { keepReadyForOutput } from '#lib/media/isolated';
import { throughOutages } from '#lib/outage';
import { driveEngine, StuckInQueue } from '#lib/engines/drive-engine';
import { noteFailure, noteSuccess } from '#lib/worker/breaker';
import { heldTooOften, leaveClaim, LostClaim, writeWhileWanted, type BreakOff } from '#lib/worker/leave-claim';
import { notePace } from '#lib/worker/pace';
import { markTroubled, markUnreachable } from '#lib/worker/servers';
import { dropOutput, storeOutput } from '#lib/worker/store-output';

/** Messages that clients receive for a failed request; the cause goes to the log. */
const FAILURES: Record<EngineErrorCode, string> = {
  invalid_input:
    'The model could not use the given prompt or media. Change them and submit again; the gems were refunded.',
  model_missing: 'The model is not installed on this deployment. Choose another model; the gems were refunded.',
  out_of_memory:
    'The model ran out of memory. Choose a lower resolution or a shorter duration; the gems were refunded.',
  engine_unavailable: 'The engine could not be reached. Submit again later; the gems were refunded.',
  engine_error: 'The engine failed on this request. Submit again, with another seed or prompt; the gems were refunded.',
  timeout: 'The generation stalled and was stopped. Submit again; the gems were refunded.',
};

interface RunOptions extends BreakOff {
  onSnapshot: (snapshot: Snapshot) => void;
}

/**
 * Runs a claimed request to its end on a server, or gives it back for another attempt. Never throws: a claim that
 * cannot be given back is idle, and `Runs.compare` finds it.
 */
export async function runGeneration(claim: Claim, server: Server, options: RunOptions): Promise<void> {
  const facts = { requestId: claim.id, claim: claim.claim, server: server.id };
  log().info(facts, 'generation started');
  try {
    const reason = heldTooOften(claim);
    if (reason) return await fail(claim, 'engine_error', reason);
    await complete(claim, server, options).catch((error: unknown) => settle(claim, error, options));
  } catch (error) {
    log().error({ err: error, ...facts }, 'claim not settled');
  }
}

async function complete(claim: Claim, server: Server, { stop, drain, onSnapshot }: RunOptions): Promise<void> {
  const begunAt = performance.now();
  const letGo = keepReadyForOutput(claim.type);
  const lost = new AbortController();
  const signal = AbortSignal.any([stop, drain, lost.signal]);
  const make = async (engine: Engine, inputs: JobInput[]) => {
    const output = await driveEngine({
      engine,
      job: toJob(claim, inputs),
      saved: claim.engineRef,
      saveRef: async ref => {
        // written through outages, since a job id chosen by the service is stored nowhere else
        if (await throughOutages(() => saveEngineRef(claim, ref), signal)) return;
        lost.abort(new LostClaim());
        signal.throwIfAborted();
      },
      onSnapshot,
      signal,
      stallMs: (server.stallSeconds ?? env().STALL_SECONDS) * 1000,
    });
    notePace(claim.line, performance.now() - begunAt);
    const [result] = await Promise.all([storeOutput(claim, engine, output, { signal }), freePlace(claim, server)]);
    return result;
  };
  const result = await server
    .use(engine => withInputFiles(claim.inputs, inputs => make(engine, inputs)))
    .finally(letGo);
  noteSuccess(server.id);
  const finished = await writeWhileWanted(() => finish(heldBy(claim), { status: 'completed', result }), signal, stop);
  if (!finished?.length) await dropOutput(result);
}

/** Frees the place on a shared server while the output is stored. On failure, it is freed when the request is final. */
async function freePlace(claim: Claim, server: Server): Promise<void> {
  if (!server.shared) return;
  await leavePlace(claim).catch((error: unknown) =>
    log().warn(
      { err: error, requestId: claim.id, server: server.id },
      'engine place stays taken until the output is stored',
    ),
  );
}

const toJob = (claim: Claim, inputs: JobInput[]): EngineJob => ({
  requestId: claim.id,
  claim: claim.claim,
  // moves count too: the job left at another server keeps its attempt number until it is stopped
  attempt: claim.attempts + claim.moves + 1,
  architecture: claim.architecture,
  modelId: claim.modelId,
  // an escaped @ is a literal one, not a mention
  prompt: claim.prompt.replaceAll('\\@', '@'),
  seed: claim.seed,
  config: claim.config,
  output: claim.output,
  inputs,
});

/** Retries or fails a request whose run ended without an output. */
async function settle(claim: Claim, error: unknown, options: RunOptions): Promise<void> {
  if (await leaveClaim(claim, error, options)) return;
  const cause =
    error instanceof EngineError ? error : new EngineError('engine_error', 'unexpected error', true, { cause: error });
  const { id: requestId, server, attempts } = claim;
  log().warn({ err: cause, requestId, server, attempts }, 'attempt failed');
  const unavailable = cause.code === 'engine_unavailable';
  // the server does answer, and the job ahead in its queue may just take long
  if (cause instanceof StuckInQueue) await noteFailure(String(server), 'timeout');
  else if (unavailable)
    await (cause.retryable ? markUnreachable : markTroubled)(String(server), cause.message, cause.retryAfter);
  else await noteFailure(String(server), cause.code);
  if (unavailable && cause.retryable && mayWait(claim, cause)) return void (await retryLater(claim));
  // counted as an attempt: a server may pass its probes and still refuse the key, lack credit or not deliver outputs
  if ((unavailable || cause.retryable) && attempts + 1 < MAX_ATTEMPTS)
    return void (await retryLater(claim, { attempts: attempts + 1 }));
  await fail(claim, cause.code, story(cause), cause instanceof InputGone ? cause.words : undefined);
}

/** Maximum age of a started request that waits for servers: 20 h, since the ledger check allows a day until its end. */
const PATIENCE_MS = 72_000_000;

/** Whether a request may wait for an unreachable server: its job is resumed there later, or tried elsewhere. */
const mayWait = ({ startedAt }: Claim, cause: EngineError): boolean =>
  !(cause instanceof LostOutput) && (!startedAt || Date.now() - startedAt.getTime() < PATIENCE_MS);

const fail = async (claim: Claim, code: EngineErrorCode, cause: string, message = FAILURES[code]): Promise<void> =>
  void (await finish(heldBy(claim), { status: 'failed', message, cause: `${code}: ${cause}` }));

/** Returns the messages of an error and its causes in one line, without repetitions. */
const story = (error: unknown): string =>
  storable(
    causesOf(error)
      .slice(0, 5)
      .map(({ message }) => message)
      .filter((message, at, all) => !all[at - 1]?.includes(message))
      .join(' ← '),
  );
