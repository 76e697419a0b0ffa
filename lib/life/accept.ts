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

/** Where an idempotency key holds: one API key, or the account for browser sessions. */
export interface SubmissionScope {
  id: string;
  /** Undefined when the client sent none: nothing is replayed then. */
  key: string | undefined;
}

/** What the service decides of a new request; state, times and place in the queue are the database's. */
export type Draft = Omit<typeof requests.$inferInsert, 'status'>;

/** What an API key may of what its account may; null: as much as that. */
export interface KeyLimits {
  /** Gems in a calendar month (UTC). */
  budget: number | null;
  /** Requests that are live at a time. */
  inFlight: number | null;
}

/** Why a request at this price is not accepted now; `available` has the gems that there are where they do not suffice. */
export interface Reluctance {
  outcome: 'short_of_balance' | 'short_of_budget' | 'too_many_requests' | 'too_many_of_key' | 'no_account';
  available: number;
}

export type Acceptance =
  | { outcome: 'accepted'; generation: ShownRequest }
  /** What was accepted first under the key; null when that was a refusal. */
  | { outcome: 'replayed'; generation: ShownRequest | null }
  | Reluctance;

interface Row {
  outcome: Acceptance['outcome'] | 'busy';
  available: number;
  shown: ShownValues | null;
}

/** One submit, as the database decides it. */
interface Asked {
  draft: Draft;
  scope: SubmissionScope;
  limits: KeyLimits;
}

/**
 * The only way in: decides, charges, stores and queues a request in one round trip, and wakes the workers. Throws
 * `submission_in_progress` when another submit of the account is still being decided after 5 s.
 */
export async function acceptGeneration(draft: Draft, scope: SubmissionScope, limits: KeyLimits): Promise<Acceptance> {
  const asked = { draft, scope, limits };
  return (await acceptInCompany(asked)) ?? (await acceptInTurn(asked));
}

/** Decides at once with those that come meanwhile; null for whom that leaves out. */
const acceptInCompany = batched('life.accept', acceptTogether, { most: 64, underWay: 2 });

/** One of an account at a time waits for it, so that no more than one connection does; who stands behind one that waited in vain need not. */
const acceptInTurn = (asked: Asked): Promise<Acceptance> =>
  inTurn(`accept ${asked.draft.accountId}`, failure => {
    if (failure instanceof AppError && failure.code === 'submission_in_progress') throw failure;
    return acceptOne(asked, true) as Promise<Acceptance>;
  });

/** Those that are plainly to be accepted; null for the rest, and for accounts that somebody else holds. What fails, fails nobody. */
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
    log().warn({ err: error, submits: asked.length }, 'not decided together; each goes alone');
  }
  return accepted;
}

const rowOf = (draft: Draft) => toRow(requests, { ...draft, status: 'queued' });

/**
 * Rings in the same transaction: one of its own would take a fifth of the time of a lone submit. Until it has ended, no other that rings
 * can end, so those that are decided together have theirs after it.
 */
const ACCEPT = {
  name: 'accept_generation',
  text: `
    select d.outcome, d.available, shown_request(d.request) as shown, case d.outcome when 'accepted' then pg_notify($7, '') end
    from accept_generation($1, $2, $3, $4, $5, $6) d`,
} as const;
/** What says that a key was taken meanwhile. */
const KEYS = 'submissions_scope_key_pk';

/** The exact decision on one; null when it should not wait for the account and would have to. */
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
    // a refusal needs no turn of the account's
    if (constraint === KEYS) return { outcome: 'replayed', generation: null };
    throw code === LOCK_NOT_AVAILABLE ? stillOpen(error) : error;
  }
}

/** What stands before a submit takes too long. */
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

/** Why a request at this price would not be accepted at this moment; null when it would. Decides nothing. */
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
