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

/** What a client reads when its request failed; the cause goes to the log. */
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
 * Brings a claimed request to its end on a server, or gives it back to wait for another attempt. Never throws: a claim that
 * cannot even be given back is one that nobody works on, and found as such.
 */
export async function runGeneration(claim: Claim, server: Server, options: RunOptions): Promise<void> {
  const facts = { requestId: claim.id, claim: claim.claim, server: server.id };
  log().info(facts, 'generation started');
  try {
    const reason = heldTooOften(claim);
    if (reason) return await fail(claim, 'engine_error', reason);
    await complete(claim, server, options).catch((error: unknown) => settle(claim, error, options));
  } catch (error) {
    log().error({ err: error, ...facts }, 'a claim could not be settled');
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
        // an id that a service gave is known to nobody else
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

/** Of a server that others give work to. A place that could not be given up is free when the request is final. */
async function freePlace(claim: Claim, server: Server): Promise<void> {
  if (!server.shared) return;
  await leavePlace(claim).catch((error: unknown) =>
    log().warn({ err: error, requestId: claim.id, server: server.id }, 'a place is held until the output is stored'),
  );
}

const toJob = (claim: Claim, inputs: JobInput[]): EngineJob => ({
  requestId: claim.id,
  claim: claim.claim,
  // a job that was left behind has the name of its try until it is stopped
  attempt: claim.attempts + claim.moves + 1,
  architecture: claim.architecture,
  modelId: claim.modelId,
  // an escaped @ is no mention, just an @
  prompt: claim.prompt.replaceAll('\\@', '@'),
  seed: claim.seed,
  config: claim.config,
  output: claim.output,
  inputs,
});

/** What becomes of a request whose run ended without an output. */
async function settle(claim: Claim, error: unknown, options: RunOptions): Promise<void> {
  if (await leaveClaim(claim, error, options)) return;
  const cause =
    error instanceof EngineError ? error : new EngineError('engine_error', 'unexpected error', true, { cause: error });
  const { id: requestId, server, attempts } = claim;
  log().warn({ err: cause, requestId, server, attempts }, 'attempt ended without an output');
  const unavailable = cause.code === 'engine_unavailable';
  // the server answers, and what it is busy with may only be long
  if (cause instanceof StuckInQueue) await noteFailure(String(server), 'timeout');
  else if (unavailable)
    await (cause.retryable ? markUnreachable : markTroubled)(String(server), cause.message, cause.retryAfter);
  else await noteFailure(String(server), cause.code);
  if (unavailable && cause.retryable && mayWait(claim, cause)) return void (await retryLater(claim));
  // one that refuses us, for its key or for want of credit, or fails to hand over, may answer its probes all the same
  if ((unavailable || cause.retryable) && attempts + 1 < MAX_ATTEMPTS)
    return void (await retryLater(claim, { attempts: attempts + 1 }));
  await fail(claim, cause.code, story(cause), cause instanceof InputGone ? cause.words : undefined);
}

/** So long a server may fail to answer what it is asked of a request: it ends within the day that the ledger check allows. */
const PATIENCE_MS = 72_000_000;

/** A server that cannot be reached fails nothing: the job is found there again, or tried elsewhere. */
const mayWait = ({ startedAt }: Claim, cause: EngineError): boolean =>
  !(cause instanceof LostOutput) && (!startedAt || Date.now() - startedAt.getTime() < PATIENCE_MS);

const fail = async (claim: Claim, code: EngineErrorCode, cause: string, message = FAILURES[code]): Promise<void> =>
  void (await finish(heldBy(claim), { status: 'failed', message, cause: `${code}: ${cause}` }));

/** An error and what it came from, in a line; what was said already is not said again. */
const story = (error: unknown): string =>
  storable(
    causesOf(error)
      .slice(0, 5)
      .map(({ message }) => message)
      .filter((message, at, all) => !all[at - 1]?.includes(message))
      .join(' ← '),
  );
