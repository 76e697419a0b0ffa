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
  /** What was answered first under it, where that was read already. */
  first?: FirstAnswer | undefined;
  /** A price above it is refused. */
  maxGems?: number | undefined;
  /** What speaks against the price is thrown here, where that is not what `admitGeneration` throws for it alone. */
  admit?: PrepareOptions['admit'] | undefined;
  /** An address that is told when the request ends. */
  webhook?: string | undefined;
  /** What is wrong with the request beside its body. */
  beside?: Issue[] | undefined;
  /** The part of a recipe's run that it is. Its key is its own: each part is submitted once, by whoever. */
  part?: (StoredPart & { runId: string }) | undefined;
  /** Read only when the submit is no replay. */
  body: () => Promise<Record<string, unknown>>;
  /** Aborted when the client is gone: what was not decided by then is not charged. */
  signal?: AbortSignal | undefined;
}

export interface Submitted {
  generation: ShownRequest;
  replayed: boolean;
  warnings: PreparedGeneration['warnings'];
}

/**
 * Accepts a generation: charges it, stores it and queues it, in one transaction. A key that was used before gets the answer
 * that was given first. Throws every refusal that `generate` has in the contract.
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
    // another process may have answered under the key meanwhile; that may be what this one is refused for
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

/** The accepted request; null when another submit with the key was answered first. Throws what speaks against it. */
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
    // whether anything was stored is known only of a refusal
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
 * Lets the database decide. With auto top-up on, gems are bought before where nothing else is in the way, and again when others
 * spent them first: each of those was accepted, so there are no more of them than may be in flight. None are bought for a repetition.
 */
async function acceptOrTopUp(draft: Omit<Draft, 'id'>, caller: Caller, scope: SubmissionScope): Promise<Acceptance> {
  const topUp = () => autoTopUp(caller.accountId, draft.gems, tx => isAnswered(scope, tx));
  for (let tries = caller.autoTopUp ? caller.inFlightLimit + 1 : 0; ; tries--) {
    const covered = tries > 0 && lacksGemsAtMost(await weigh(caller, draft.gems)) && (await topUp());
    // drawn last, so that ids are in the order in which requests were accepted
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

/** The catalog offers only what somebody makes, but that may have changed since the config was read. */
function requireServing(architecture: string, modelId: string): Serving {
  const serving = servingOf(architecture, modelId);
  if (serving) return serving;
  throw new AppError(
    'architecture_not_found',
    `Nothing makes ${modelId} here any more. GET /v1/architectures lists all.`,
  );
}

/** For clients of the API: the studio takes another key by itself. */
const ANOTHER_KEY = 'The next attempt needs a new Idempotency-Key.';

/** Keeps a refusal under the key and its request id, and throws it; the answer that was given first when there is one by now. */
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
    // of a model that is gone it was not looked at
    prompt: typeof body.prompt === 'string' ? beginning(body.prompt, MOST_PROMPT) : '',
  };
  const message = idempotencyKey === undefined || !keyId ? error.message : `${error.message} ${ANOTHER_KEY}`;
  const refusal = new AppError(error.code, message, { request_id: requestId, ...error.extra });
  const outcome = await recordRefusal(scope, refused, refusal);
  if (outcome === 'answered') return replayFirst(scope);
  throw outcome === 'recorded' ? refusal : error;
}

const replay = (generation: ShownRequest): Submitted => ({ generation, replayed: true, warnings: [] });

/** For a submit that lost against another with its key: the winner's answer, which may be gone with its account by now. */
async function replayFirst(scope: SubmissionScope): Promise<Submitted> {
  const first = await findSubmission(scope);
  if (!first) throw stillOpen();
  return replay(first);
}
