import { batched } from '#lib/db/batched';
import { pool } from '#lib/db/client';
import { inTurn } from '#lib/db/in-turn';
import { fromRow, toRow, type JsonRow } from '#lib/db/rows';
import { requests } from '#lib/db/schema';
import { fromShown, type ShownRequest, type ShownValues } from '#lib/db/shown-request';
import { LOCK_NOT_AVAILABLE } from '#lib/db/sql-states';
import { AppError } from '#lib/errors';
import { channelOf, ringFor } from '#lib/life/doorbell';
import { log } from '#lib/log';

/** Scope of an idempotency key: an API key, or the account for browser sessions. */
export interface SubmissionScope {
  id: string;
  /** Idempotency key; undefined when the client sent none, in which case no earlier answer is replayed. */
  key: string | undefined;
}

/** The columns of a new request that the service sets; the database sets status, times and queue position. */
export type Draft = Omit<typeof requests.$inferInsert, 'status'>;

/** Limits of an API key in addition to those of its account; null means no additional limit. */
export interface KeyLimits {
  /** Gems per calendar month (UTC). */
  budget: number | null;
  /** Maximum number of live requests. */
  inFlight: number | null;
}

/** Why a request is not accepted now. `available` is the number of gems left, where they do not suffice. */
export interface Reluctance {
  outcome: 'short_of_balance' | 'short_of_budget' | 'too_many_requests' | 'too_many_of_key' | 'no_account';
  available: number;
}

export type Acceptance =
  | { outcome: 'accepted'; generation: ShownRequest }
  /** The request first accepted under the idempotency key; null when the first answer was a refusal. */
  | { outcome: 'replayed'; generation: ShownRequest | null }
  | Reluctance;

interface Row {
  outcome: Acceptance['outcome'] | 'busy';
  available: number;
  shown: ShownValues | null;
}

/** Everything that the database needs to decide on a submit. */
interface Asked {
  draft: Draft;
  scope: SubmissionScope;
  limits: KeyLimits;
}

/**
 * Accepts a request: decides, charges, stores and queues it in one round trip, and wakes the workers. All requests
 * enter here. Throws `submission_in_progress` when another submit of the account is still being decided after 5 s.
 */
export async function acceptGeneration(draft: Draft, scope: SubmissionScope, limits: KeyLimits): Promise<Acceptance> {
  const asked = { draft, scope, limits };
  return (await acceptInCompany(asked)) ?? (await acceptInTurn(asked));
}

/** Decides on concurrent submits in one batch; null for those that must be decided individually. */
const acceptInCompany = batched('life.accept', acceptTogether, { most: 64, underWay: 2 });

/**
 * Decides on one submit per account at a time, so that only one connection waits for the account's lock. After a
 * timeout, the submits queued behind it fail immediately.
 */
const acceptInTurn = (asked: Asked): Promise<Acceptance> =>
  inTurn(`accept ${asked.draft.accountId}`, failure => {
    if (failure instanceof AppError && failure.code === 'submission_in_progress') throw failure;
    return acceptOne(asked, true) as Promise<Acceptance>;
  });

/** Accepts the submits that clearly satisfy all limits; null for the others, locked accounts or a failed batch. */
async function acceptTogether(asked: readonly Asked[]): Promise<(Acceptance | null)[]> {
  const accepted: (Acceptance | null)[] = asked.map(() => null);
  try {
    if (asked.length === 1) return [await acceptOne(asked[0]!, false)];
    const drafts = asked.map(({ draft, scope, limits }) => ({
      draft: rowOf(draft),
      scope: scope.id,
      key: scope.key,
      budget: limits.budget,
      most: limits.inFlight,
    }));
    const { rows } = await pool().query<{ n: number } & JsonRow>({
      name: 'accept_drafts',
      text: 'select * from accept_drafts($1)',
      values: [JSON.stringify(drafts)],
    });
    for (const { n, ...decided } of rows)
      accepted[n] = { outcome: 'accepted', generation: fromRow(requests, { ...drafts[n]!.draft, ...decided }) };
    ringFor(accepted.flatMap(one => (one?.outcome === 'accepted' ? one.generation : [])));
  } catch (error) {
    log().warn({ err: error, submits: asked.length }, 'batch of submits failed; each is retried alone');
  }
  return accepted;
}

const rowOf = (draft: Draft) => toRow(requests, { ...draft, status: 'queued' });

/**
 * Notifies workers in the same transaction, since a separate one takes a fifth of the time of a single submit.
 * Transactions that notify commit one after another, so batches notify after their commit instead.
 */
const ACCEPT = {
  name: 'accept_generation',
  text: `
    select d.outcome, d.available, shown_request(d.request) as shown, case d.outcome when 'accepted' then pg_notify($7, '') end
    from accept_generation($1, $2, $3, $4, $5, $6) d`,
} as const;
/** Constraint that is violated when a concurrent submit used the same idempotency key. */
const KEYS = 'submissions_scope_key_pk';

/** Decides on one submit. Without `patient`, returns null instead of waiting for the account's lock. */
async function acceptOne({ draft, scope, limits }: Asked, patient: boolean): Promise<Acceptance | null> {
  try {
    const { budget, inFlight } = limits;
    const row = JSON.stringify(rowOf(draft));
    const { rows } = await pool().query<Row>({
      ...ACCEPT,
      values: [row, scope.id, scope.key ?? null, budget, patient, inFlight, channelOf(draft)],
    });
    if (!rows[0]) throw new Error('accept_generation gave no row');
    const { outcome, available, shown } = rows[0];
    if (outcome === 'busy') return null;
    if (outcome === 'accepted' || outcome === 'replayed')
      return { outcome, generation: shown && fromShown(shown) } as Acceptance;
    return { outcome, available };
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    // the refusal of a concurrent submit is recorded without the account's lock
    if (constraint === KEYS) return { outcome: 'replayed', generation: null };
    throw code === LOCK_NOT_AVAILABLE ? stillOpen(error) : error;
  }
}

/** Returns the error for a submit that waited too long for another submit of its account. */
export function stillOpen(cause?: unknown): AppError {
  const message = 'Another submit of this account is still being decided. Send it again with the same Idempotency-Key.';
  return new AppError('submission_in_progress', message, {}, { retryAfter: 1, cause });
}

interface Weighed {
  accountId: string;
  keyId: string | null;
  gems: number;
  limits: KeyLimits;
}

/** Returns why a request at this price would not be accepted now; null when it would be. Changes nothing. */
export const weighGeneration = batched('life.weigh', async (asked: readonly Weighed[]) => {
  const { rows } = await pool().query<{ n: number; available: number; outcome: Reluctance['outcome'] | 'accepted' }>({
    name: 'weigh_generations',
    text: `select o.n - 1 as n, w.outcome, w.available
      from unnest($1::uuid[], $2::uuid[], $3::int[], $4::bigint[], $5::int[]) with ordinality o (account, key, gems, budget, most, n)
      join accounts a on a.id = o.account
      cross join lateral weigh_generation(a, o.key, o.gems, o.budget, o.most) w`,
    values: [
      asked.map(({ accountId }) => accountId),
      asked.map(({ keyId }) => keyId),
      asked.map(({ gems }) => gems),
      asked.map(({ limits }) => limits.budget),
      asked.map(({ limits }) => limits.inFlight),
    ],
  });
  const weighed: (Reluctance | null)[] = asked.map(() => ({ outcome: 'no_account', available: 0 }));
  for (const { n, outcome, available } of rows) weighed[n] = outcome === 'accepted' ? null : { outcome, available };
  return weighed;
});
