import { eq, sql } from 'drizzle-orm';
import { batched } from '#lib/db/batched';
import { db } from '#lib/db/client';
import { requests, submissions } from '#lib/db/schema';
import { AppError, type ErrorCode, type ErrorExtra } from '#lib/errors';
import type { Generation } from '#lib/generations/generation';
import { singleton } from '#lib/singleton';

/** Where an idempotency key holds: one API key, or the account for browser sessions. */
export interface SubmissionScope {
  id: string;
  /** Undefined when the client sent none: nothing is replayed then. */
  key: string | undefined;
}

type Submission = Awaited<ReturnType<ReturnType<typeof byScopesAndKeys>['execute']>>[number];

const byScopesAndKeys = () =>
  singleton('generations.find-submissions', () =>
    db()
      .select({ submission: submissions, generation: requests })
      .from(submissions)
      .leftJoin(requests, eq(requests.id, submissions.requestId))
      .where(
        sql`(${submissions.scope}, ${submissions.key}) in
          (select * from unnest(${sql.placeholder('scopes')}::uuid[], ${sql.placeholder('keys')}::text[]))`,
      )
      .prepare('find_submissions'),
  );

const findByKey = batched('submissions', findAll);

async function findAll(wanted: readonly { id: string; key: string }[]): Promise<(Submission | null)[]> {
  const rows = await byScopesAndKeys().execute({
    scopes: wanted.map(({ id }) => id),
    keys: wanted.map(({ key }) => key),
  });
  const found = new Map(rows.map(row => [`${row.submission.scope} ${row.submission.key}`, row]));
  return wanted.map(({ id, key }) => found.get(`${id} ${key}`) ?? null);
}

/**
 * The request that was submitted first under the key, as it is now; null when the key is new. Throws the refusal that was
 * recorded under it.
 */
export async function findSubmission({ id, key }: SubmissionScope): Promise<Generation | null> {
  const first = key === undefined ? null : await findByKey({ id, key });
  if (!first) return null;
  const { refusalBody, refusalStatus } = first.submission;
  if (refusalBody !== null) throw toRefusal(refusalBody, refusalStatus);
  return first.generation;
}

/** Decision 17: refusals that a retry with the same key gets again. 402 is recorded by `submit_generation` itself. */
const RECORDED: readonly ErrorCode[] = ['content_blocked', 'content_restricted', 'architecture_retired'];

/** The error as a recorded refusal names itself: with the id of the request that it refused. */
export const asRefusal = (error: unknown, requestId: string): AppError | null =>
  error instanceof AppError && RECORDED.includes(error.code)
    ? new AppError(error.code, error.message, { ...error.extra, request_id: requestId })
    : null;

/** Records the refusal under the key. False when another submit with the key was answered first. */
export async function recordRefusal(
  { id, key }: SubmissionScope,
  requestId: string,
  refusal: AppError,
): Promise<boolean> {
  if (key === undefined) return true;
  const row = { scope: id, key, requestId, refusalStatus: refusal.status, refusalBody: bodyOf(refusal) };
  const written = await db().insert(submissions).values(row).onConflictDoNothing().returning({ key: submissions.key });
  return written.length > 0;
}

/** The bytes that a refusal is answered with. */
export const bodyOf = (refusal: AppError): string => JSON.stringify({ error: refusal.toWire() });

/** Members keep the order they were recorded in, so the answer has the same bytes. */
function toRefusal(body: string, status: number | null): AppError {
  const { error } = JSON.parse(body) as { error: { code: ErrorCode; message: string } & ErrorExtra };
  const { code, message, ...extra } = error;
  return new AppError(code === 'content_blocked' && status === 451 ? 'content_restricted' : code, message, extra);
}
