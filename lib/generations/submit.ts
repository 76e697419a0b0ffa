import type { Caller } from '#lib/accounts/api-keys';
import { autoTopUp } from '#lib/accounts/auto-top-up';
import { AppError } from '#lib/errors';
import { newId } from '#lib/ids';
import { log } from '#lib/log';
import { submitDraft, toDraft, toGeneration, type Draft, type Outcome } from '#lib/generations/draft';
import type { Generation } from '#lib/generations/generation';
import { prepareGeneration, type PreparedGeneration } from '#lib/generations/prepare';
import { asRefusal, findSubmission, recordRefusal, type SubmissionScope } from '#lib/generations/submissions';
import { ringDoorbell } from '#lib/queue/doorbell';

export interface Submission {
  caller: Caller;
  architectureId: string;
  idempotencyKey?: string | undefined;
  /** Decision 22: a price above it is refused. */
  maxGems?: number | undefined;
  /** The account that the client means to pay; another caller is refused. */
  payer?: string | undefined;
  /** Read only when the submit is no replay. */
  body: () => Promise<Record<string, unknown>>;
}

export interface Submitted {
  generation: Generation;
  replayed: boolean;
  warnings: PreparedGeneration['warnings'];
}

/**
 * Accepts a generation: charges it, stores it and queues it, in one transaction. A key that was used before gets the answer
 * that was given first. Throws every refusal of `generate` in api.md.
 */
export async function submitGeneration(submission: Submission): Promise<Submitted> {
  const { caller, payer = caller.accountId } = submission;
  if (payer !== caller.accountId)
    throw new AppError('unauthorized', 'Somebody else is signed in here now. Sign in again.');
  const scope = { id: caller.keyId ?? caller.accountId, key: submission.idempotencyKey };
  const earlier = await findSubmission(scope);
  if (earlier) return replay(earlier);

  const id = newId();
  const body = await submission.body();
  if (!caller.mayGenerate) throw new AppError('forbidden', 'The operator switched off generation for this account.');
  try {
    const prepared = await prepareGeneration(caller.accountId, submission.architectureId, body);
    requirePrice(prepared.gems, submission.maxGems);
    return await acceptGeneration(id, caller, scope, prepared);
  } catch (error) {
    const refusal = asRefusal(error, id);
    if (!refusal) throw error;
    log().info({ requestId: id, accountId: caller.accountId, code: refusal.code }, 'submit refused');
    if (await recordRefusal(scope, id, refusal)) throw refusal;
    return replayFirst(scope);
  }
}

async function acceptGeneration(
  id: string,
  caller: Caller,
  scope: SubmissionScope,
  prepared: PreparedGeneration,
): Promise<Submitted> {
  const draft = toDraft(id, caller, prepared);
  const refusal = insufficientGems(id, prepared.gems);
  const outcome = await decide(draft, caller, scope, refusal);
  switch (outcome.outcome) {
    case 'accepted':
      ringDoorbell(draft.engine);
      return { generation: toGeneration(draft, outcome), replayed: false, warnings: prepared.warnings };
    case 'replayed':
      return replayFirst(scope);
    case 'insufficient_gems':
      log().info(
        { requestId: id, accountId: caller.accountId, gems: prepared.gems },
        'submit refused for lack of gems',
      );
      throw refusal;
    case 'too_many_requests':
      throw tooManyRequests(caller.inFlightLimit);
    case 'no_account':
      throw new AppError('unauthorized', 'The account of this key is gone.');
  }
}

/**
 * Lets the database decide. With auto top-up on, gems are bought before, and again when others spent them first: each of
 * those was accepted, so there are no more of them than may be in flight. A lack of gems is recorded only when no more can be
 * had.
 */
async function decide(draft: Draft, caller: Caller, scope: SubmissionScope, refusal: AppError): Promise<Outcome> {
  // who loses its gems to another submit sees one more in flight; a budget that is spent stays so
  const most = caller.monthlyBudget === null ? caller.inFlightLimit + 1 : 5;
  for (let tries = caller.autoTopUp ? most : 0; ; tries--) {
    const covered = tries > 0 && (await autoTopUp(caller.accountId, draft.gems));
    const outcome = await submitDraft(draft, scope, caller.monthlyBudget, covered ? null : refusal);
    if (outcome.outcome !== 'insufficient_gems' || !covered) return outcome;
  }
}

const replay = (generation: Generation): Submitted => ({ generation, replayed: true, warnings: [] });

/** For a submit that lost against another with its key: the winner's answer. */
async function replayFirst(scope: SubmissionScope): Promise<Submitted> {
  const first = await findSubmission(scope);
  if (!first) throw new Error('a submission that was answered first has no row');
  return replay(first);
}

function requirePrice(gems: number, maxGems: number | undefined): void {
  if (maxGems === undefined || gems <= maxGems) return;
  throw new AppError(
    'price_above_limit',
    `This generation costs ${gems} gems, more than Max-Gems: ${maxGems}. Nothing was charged.`,
  );
}

const insufficientGems = (id: string, gems: number) =>
  new AppError(
    'insufficient_gems',
    `This generation costs ${gems} gems, more than the balance or the monthly budget of the key covers. ` +
      'Top up or choose a cheaper config, then submit with a new Idempotency-Key.',
    { request_id: id, gems_required: gems },
  );

const tooManyRequests = (limit: number) =>
  new AppError(
    'too_many_requests',
    `The account has ${limit} generations in flight, its limit. Wait until one of them is final. Nothing was charged.`,
    {},
    { retryAfter: 5 },
  );
