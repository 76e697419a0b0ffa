import type { Caller } from '#lib/accounts/api-keys';
import { pool } from '#lib/db/client';
import { engineOf } from '#lib/engines/serving';
import { AppError } from '#lib/errors';
import type { Generation } from '#lib/generations/generation';
import type { PreparedGeneration } from '#lib/generations/prepare';
import { bodyOf, type SubmissionScope } from '#lib/generations/submissions';

/** The columns of a request that are decided before the transaction, under their names in the table. */
export type Draft = ReturnType<typeof toDraft>;

export function toDraft(id: string, caller: Caller, prepared: PreparedGeneration) {
  const { architecture, modelId, prompt, seed, body, config, output, inputs, mentions, gems } = prepared;
  return {
    id,
    account_id: caller.accountId,
    api_key_id: caller.keyId,
    architecture: architecture.id,
    model_id: modelId,
    type: architecture.type,
    engine: engineOf(architecture),
    prompt,
    seed,
    body,
    config,
    output,
    inputs,
    mentions,
    gems,
  };
}

export interface Outcome {
  outcome: 'accepted' | 'replayed' | 'too_many_requests' | 'insufficient_gems' | 'no_account';
  status: Generation['status'];
  accepted_at: Date;
}

const SUBMIT = { name: 'submit_generation', text: 'select * from submit_generation($1, $2, $3, $4, $5)' } as const;
const LOCK_NOT_AVAILABLE = '55P03';

/** Decides, charges, stores and queues in one round trip; `refusal` is recorded under the key when gems lack, unless it is null. */
export async function submitDraft(
  draft: Draft,
  scope: SubmissionScope,
  budget: number | null,
  refusal: AppError | null,
): Promise<Outcome> {
  const values = [JSON.stringify(draft), scope.id, scope.key ?? null, budget, refusal && bodyOf(refusal)];
  try {
    const { rows } = await pool().query<Outcome>({ ...SUBMIT, values });
    if (rows[0]) return rows[0];
    throw new Error('submit_generation gave no row');
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    const message =
      'Another submit of this account is still being decided. Send it again with the same Idempotency-Key.';
    throw new AppError('submission_in_progress', message, {}, { retryAfter: 1, cause: error });
  }
}

/** The row that was just stored, without reading it again. */
export const toGeneration = (draft: Draft, { status, accepted_at }: Outcome): Generation => ({
  id: draft.id,
  accountId: draft.account_id,
  apiKeyId: draft.api_key_id,
  status,
  architecture: draft.architecture,
  modelId: draft.model_id,
  type: draft.type,
  engine: draft.engine,
  prompt: draft.prompt,
  body: draft.body,
  config: draft.config,
  seed: draft.seed,
  output: draft.output,
  mentions: draft.mentions,
  inputs: draft.inputs,
  gems: draft.gems,
  refunded: false,
  attempt: 0,
  engineRef: null,
  progress: null,
  result: null,
  errorMessage: null,
  failureCause: null,
  favourite: false,
  removedAt: null,
  createdAt: accepted_at,
  updatedAt: accepted_at,
  startedAt: null,
  finishedAt: null,
});
