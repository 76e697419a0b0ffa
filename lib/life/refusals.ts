import { and, eq, isNull } from 'drizzle-orm';
import { batched } from '#lib/db/batched';
import { db, pool, type Tx } from '#lib/db/client';
import { firstAnswerOf, type FirstAnswer, type FirstAnswerValues } from '#lib/db/first-answer';
import type { ShownRequest } from '#lib/db/shown-request';
import { refusals, submissions } from '#lib/db/schema';
import { now } from '#lib/db/schema/columns';
import { AppError, type ErrorExtra, type RefusalCode } from '#lib/errors';
import type { SubmissionScope } from '#lib/life/accept';

/** A recorded refusal of a submit. */
export type Refusal = typeof refusals.$inferSelect;

const findFirst = batched('submissions', async (scopes: readonly { id: string; key: string }[]) => {
  const { rows } = await pool().query<{ found: [n: number, ...FirstAnswerValues][] | null }>({
    name: 'first_answers',
    text: 'select first_answers($1, $2) as found',
    values: [scopes.map(({ id }) => id), scopes.map(({ key }) => key)],
  });
  const found: (FirstAnswer | null)[] = scopes.map(() => null);
  for (const [n, ...values] of rows[0]!.found ?? []) found[n] = firstAnswerOf(values);
  return found;
});

/** Returns the request first submitted under the key, as it is now; null for a new key. Throws like `toFirst`. */
export async function findSubmission({ id, key }: SubmissionScope): Promise<ShownRequest | null> {
  const first = key === undefined ? null : await findFirst({ id, key });
  return first && toFirst(first);
}

/** Whether a submit with the idempotency key was answered already. */
export async function isAnswered({ id, key }: SubmissionScope, tx: Tx): Promise<boolean> {
  if (key === undefined) return false;
  const first = and(eq(submissions.scope, id), eq(submissions.key, key));
  return (await tx.$count(submissions, first)) > 0;
}

/** Returns the request of a first answer; null where there is none. Throws the recorded refusal, if any. */
export function toFirst({ shown, refusal }: FirstAnswer): ShownRequest | null {
  if (refusal) throw toError(refusal);
  return shown;
}

/** Finds the refusal of a submit of the account by its request id. */
export async function findRefusal(accountId: string, requestId: string): Promise<Refusal | null> {
  const [refusal] = await db()
    .select()
    .from(refusals)
    .where(and(eq(refusals.requestId, requestId), eq(refusals.accountId, accountId)));
  return refusal ?? null;
}

/** Marks a refusal as removed and deletes its prompt; retries under its key get the same answer. Idempotent. */
export async function removeRefusal(requestId: string): Promise<void> {
  await db()
    .update(refusals)
    .set({ prompt: '', removedAt: now })
    .where(and(eq(refusals.requestId, requestId), isNull(refusals.removedAt)));
}

/** Errors that are recorded: a retry with the same key gets the same refusal, and it can be read by its request id. */
const RECORDED: readonly RefusalCode[] = [
  'insufficient_gems',
  'content_blocked',
  'content_restricted',
  'architecture_retired',
];

export const isRecorded = (error: unknown): error is AppError =>
  error instanceof AppError && RECORDED.includes(error.code);

/** Maximum number of recorded refusals per account and hour; further ones are not recorded. */
const MOST_AN_HOUR = 300;

/**
 * Records a refusal. Returns `recorded`, or why it was not: another submit with the key was `answered` first, the
 * account is refused too `often`, or the account is `gone` (deleted).
 */
export async function recordRefusal(
  { id, key }: SubmissionScope,
  refused: Omit<Refusal, 'status' | 'body' | 'removedAt' | 'createdAt'>,
  error: AppError,
): Promise<'recorded' | 'answered' | 'often' | 'gone'> {
  const { requestId, accountId, architecture, modelId, type, prompt } = refused;
  const { rows } = await pool().query<{ outcome: 'recorded' | 'answered' | 'often' }>({
    name: 'record_refusal',
    text: `
      with recent as (
        select (
          select count(*) from (
            select from refusals where account_id = $2 and created_at > now() - interval '1 hour' limit ${MOST_AN_HOUR}
          ) refused
        ) as times from accounts where id = $2 for key share
      ), kept as (
        insert into submissions (scope, key, request_id) select $9, $10, $1 from recent
        where $10::text is not null and times < ${MOST_AN_HOUR} on conflict do nothing returning request_id
      ), written as (
        insert into refusals (request_id, account_id, architecture, model_id, type, prompt, status, body)
        select $1, $2, $3, $4, $5, $6, $7, $8 from recent
        where times < ${MOST_AN_HOUR} and ($10::text is null or exists (select from kept)) returning request_id
      )
      select case
          when exists (select from written) then 'recorded'
          when times < ${MOST_AN_HOUR} or exists (select from submissions where scope = $9 and key = $10) then 'answered'
          else 'often'
        end as outcome
      from recent`,
    values: [requestId, accountId, architecture, modelId, type, prompt, error.status, bodyOf(error), id, key ?? null],
  });
  return rows[0]?.outcome ?? 'gone';
}

/** Returns the response body of a refusal. */
const bodyOf = (refusal: AppError): string => JSON.stringify({ error: refusal.toWire() });

/** Restores a recorded error. Members keep their order, so the response is byte-identical. */
export function toError({ body, status }: Pick<Refusal, 'body' | 'status'>): AppError {
  const { error } = JSON.parse(body) as { error: { code: RefusalCode; message: string } & ErrorExtra };
  const { code, message, ...extra } = error;
  return new AppError(code === 'content_blocked' && status === 451 ? 'content_restricted' : code, message, extra);
}
