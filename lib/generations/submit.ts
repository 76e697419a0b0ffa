import type { Caller } from '#lib/accounts/callers';
import { autoTopUp } from '#lib/accounts/auto-top-up';
import { beginning } from '#lib/beginning';
import { catalog } from '#lib/catalog/catalog';
import { MOST_PROMPT } from '#lib/catalog/common-fields';
import { servingOf, type Serving } from '#lib/engines/serving';
import { AppError, type Issue } from '#lib/errors';
import {
  admitGeneration,
  lacksGemsAtMost,
  limitsOf,
  requireMayGenerate,
  toRefusal,
  weigh,
} from '#lib/generations/admit';
import { inTurnOfKey } from '#lib/generations/in-turn-of-key';
import { prepareGeneration, type PreparedGeneration, type PrepareOptions } from '#lib/generations/prepare';
import type { FirstAnswer } from '#lib/db/first-answer';
import type { StoredPart } from '#lib/db/schema';
import type { ShownRequest } from '#lib/db/shown-request';
import { newId } from '#lib/ids';
import { acceptGeneration, stillOpen, type Acceptance, type Draft, type SubmissionScope } from '#lib/life/accept';
import { findSubmission, isAnswered, isRecorded, recordRefusal, toFirst } from '#lib/life/refusals';
import { log } from '#lib/log';
import { discardInputs } from '#lib/uploads/discard-inputs';
import { readAddress } from '#lib/webhooks/checked-address';
import { showRequestWebhook } from '#lib/webhooks/webhooks';

interface Submission {
  caller: Caller;
  architectureId: string;
  idempotencyKey?: string | undefined;
  /** First answer under the key, if the caller has already read it. */
  first?: FirstAnswer | undefined;
  /** Maximum price: a higher one is refused. */
  maxGems?: number | undefined;
  /** Throws when the price is refused; by default `admitGeneration` for this request alone. */
  admit?: PrepareOptions['admit'] | undefined;
  /** Address that gets a message when the request ends. */
  webhook?: string | undefined;
  /** Issues outside of the body, such as in headers. */
  beside?: Issue[] | undefined;
  /** Part of a recipe run that this submits. The part determines the key: it is submitted once, by any process. */
  part?: (StoredPart & { runId: string }) | undefined;
  /** Reads the body; called only when the submit is not a replay. */
  body: () => Promise<Record<string, unknown>>;
  /** Aborted when the client disconnects: a request that is not decided by then is not charged. */
  signal?: AbortSignal | undefined;
}

export interface Submitted {
  generation: ShownRequest;
  replayed: boolean;
  warnings: PreparedGeneration['warnings'];
}

/**
 * Accepts a generation: charges, stores and queues it in one transaction. For an idempotency key that was used before,
 * repeats the first answer. Throws every error that the contract lists for `generate`.
 */
export async function submitGeneration(submission: Submission): Promise<Submitted> {
  const { first } = submission;
  const scope = scopeOf(submission);
  return inTurnOfKey(scope, async hasWaited => {
    const earlier = first && !hasWaited ? toFirst(first) : await findSubmission(scope);
    return earlier ? replay(earlier) : submitFirst(submission, scope);
  });
}

async function submitFirst(submission: Submission, scope: SubmissionScope): Promise<Submitted> {
  const { caller } = submission;
  let body: Record<string, unknown> | undefined;
  try {
    body = await submission.body();
    requireMayGenerate(caller);
    const acceptance = await decide(submission, scope, body);
    return acceptance ?? (await replayFirst(scope));
  } catch (error) {
    if (body && isRecorded(error)) return await refuse(submission, scope, body, error);
    // another process may have accepted a submit with this key meanwhile, which may be why this one is refused
    const first = error instanceof AppError ? await findSubmission(scope) : null;
    if (!first) throw error;
    return replay(first);
  }
}

function scopeOf({ caller, idempotencyKey, part }: Submission): SubmissionScope {
  if (part) return { id: part.runId, key: `${part.step}/${part.item}/${part.attempt}` };
  return { id: caller.keyId ?? caller.accountId, key: idempotencyKey };
}

const WEBHOOK = { path: '/pomona-webhook', name: 'The header Pomona-Webhook' };

/** Prepares and accepts a request; null when another submit with the key was answered first. Throws every refusal. */
async function decide(
  { caller, architectureId, maxGems, admit, webhook, beside = [], part, signal }: Submission,
  scope: SubmissionScope,
  body: Record<string, unknown>,
): Promise<Submitted | null> {
  const { address, issue } = webhook === undefined ? { address: null } : readAddress(webhook, WEBHOOK);
  const prepared = await prepareGeneration(caller.accountId, architectureId, body, {
    signal,
    beside: issue ? [...beside, issue] : beside,
    admit: admit ?? ((gems, isDear) => admitGeneration(caller, { gems, maxGems }, isDear)),
  });
  const accept = async () => {
    const draft = { ...toDraft(caller, prepared), webhook: address, ...(part && partOf(part)) };
    return acceptOrTopUp(draft, caller, scope);
  };
  const acceptance = await accept().catch(async (error: unknown) => {
    // after any other error, the request may have been accepted, and need its files
    if (error instanceof AppError) await discardInputs(prepared.files);
    throw error;
  });
  if (acceptance.outcome === 'accepted') {
    if (address !== null) await showRequestWebhook(caller.accountId);
    return { generation: acceptance.generation, replayed: false, warnings: prepared.warnings };
  }
  await discardInputs(prepared.files);
  if (acceptance.outcome === 'replayed') return acceptance.generation && replay(acceptance.generation);
  throw toRefusal(acceptance, caller, prepared);
}

/**
 * Has the database accept the request. With auto top-up on, missing gems are bought before when nothing else stands in
 * the way, and again when other requests spend them first; the in-flight limit bounds the number of such requests.
 * Replays buy no gems.
 */
async function acceptOrTopUp(draft: Omit<Draft, 'id'>, caller: Caller, scope: SubmissionScope): Promise<Acceptance> {
  const topUp = () => autoTopUp(caller.accountId, draft.gems, tx => isAnswered(scope, tx));
  for (let tries = caller.autoTopUp ? caller.inFlightLimit + 1 : 0; ; tries--) {
    const covered = tries > 0 && lacksGemsAtMost(await weigh(caller, draft.gems)) && (await topUp());
    // the id is drawn last, so that ids sort in the order of acceptance
    const acceptance = await acceptGeneration({ ...draft, id: newId() }, scope, limitsOf(caller));
    if (acceptance.outcome !== 'short_of_balance' || !covered) return acceptance;
  }
}

function toDraft(caller: Caller, prepared: PreparedGeneration): Omit<Draft, 'id'> {
  const { architecture, modelId, prompt, seed, body, config, output, inputs, mentions, gems } = prepared;
  return {
    accountId: caller.accountId,
    apiKeyId: caller.keyId,
    architecture: architecture.id,
    modelId,
    type: architecture.type,
    ...requireServing(architecture.id, modelId),
    prompt,
    seed,
    body,
    config,
    output,
    inputs,
    mentions,
    gems,
    fetched: inputs.every(({ remote }) => remote === undefined),
  };
}

const partOf = ({ runId, ...runPart }: NonNullable<Submission['part']>) => ({ runId, runPart });

/** Finds the engine for a model. The catalog offers only served models, but that may have changed meanwhile. */
function requireServing(architecture: string, modelId: string): Serving {
  const serving = servingOf(architecture, modelId);
  if (serving) return serving;
  throw new AppError(
    'architecture_not_found',
    `Nothing makes ${modelId} here any more. GET /v1/architectures lists all.`,
  );
}

/** Hint for API clients only; the studio makes a new key by itself. */
const ANOTHER_KEY = 'The next attempt needs a new Idempotency-Key.';

/** Records a refusal under the key and a request id, and throws it, or replays the first answer if there is one now. */
async function refuse(
  { caller: { accountId, keyId }, architectureId, idempotencyKey }: Submission,
  scope: SubmissionScope,
  body: Record<string, unknown>,
  error: AppError,
): Promise<Submitted> {
  const requestId = newId();
  log().info({ requestId, accountId, code: error.code }, 'submit refused');
  const architecture = catalog().find(architectureId)!;
  const named = architecture.model_ids.find(modelId => modelId === body.model_id);
  const refused = {
    requestId,
    accountId,
    architecture: architectureId,
    modelId: named ?? architecture.default_model_id,
    type: architecture.type,
    // the prompt was not validated when the architecture is retired
    prompt: typeof body.prompt === 'string' ? beginning(body.prompt, MOST_PROMPT) : '',
  };
  const message = idempotencyKey === undefined || !keyId ? error.message : `${error.message} ${ANOTHER_KEY}`;
  const refusal = new AppError(error.code, message, { request_id: requestId, ...error.extra });
  const outcome = await recordRefusal(scope, refused, refusal);
  if (outcome === 'answered') return replayFirst(scope);
  throw outcome === 'recorded' ? refusal : error;
}

const replay = (generation: ShownRequest): Submitted => ({ generation, replayed: true, warnings: [] });

/** Replays the first answer for a submit that lost to another with its key. Throws if the answer no longer exists. */
async function replayFirst(scope: SubmissionScope): Promise<Submitted> {
  const first = await findSubmission(scope);
  if (!first) throw stillOpen();
  return replay(first);
}
