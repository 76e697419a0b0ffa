import { pool } from '#lib/db/client';
import { fromRow, toRow } from '#lib/db/rows';
import { requests } from '#lib/db/schema';
import { AppError } from '#lib/errors';
import { ringDoorbell } from '#lib/life/doorbell';
import type { Generation } from '#lib/life/generation';

/** Where an idempotency key holds: one API key, or the account for browser sessions. */
export interface SubmissionScope {
  id: string;
  /** Undefined when the client sent none: nothing is replayed then. */
  key: string | undefined;
}

/** What the service decides of a new request; state, times and place in the queue are the database's. */
export type Draft = Omit<typeof requests.$inferInsert, 'status'>;

/** Why a request at this price is not accepted now; `available` has the gems that there are where they do not suffice. */
export interface Reluctance {
  outcome: 'short_of_balance' | 'short_of_budget' | 'too_many_requests' | 'no_account';
  available: number;
}

export type Acceptance =
  | { outcome: 'accepted'; generation: Generation }
  /** What was accepted first under the key; null when that was a refusal. */
  | { outcome: 'replayed'; generation: Generation | null }
  | Reluctance;

interface Row extends Record<string, unknown> {
  outcome: Acceptance['outcome'];
  available: number;
}

const ACCEPT = {
  name: 'accept_generation',
  text: 'select d.outcome, d.available, (d.request).* from accept_generation($1, $2, $3, $4) d',
} as const;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The only way in: decides, charges, stores and queues a request in one round trip, and wakes the workers. `budget` is what
 * the key may spend in a month. Throws `submission_in_progress` when another submit of the account is still being decided after 5 s.
 */
export async function acceptGeneration(
  draft: Draft,
  scope: SubmissionScope,
  budget: number | null,
): Promise<Acceptance> {
  const row = toRow(requests, { ...draft, status: 'queued' });
  try {
    const { rows } = await pool().query<Row>({
      ...ACCEPT,
      values: [JSON.stringify(row), scope.id, scope.key ?? null, budget],
    });
    if (!rows[0]) throw new Error('accept_generation gave no row');
    const { outcome, available, ...request } = rows[0];
    if (outcome === 'accepted') ringDoorbell();
    if (outcome === 'accepted' || outcome === 'replayed')
      return { outcome, generation: request.id ? fromRow(requests, request) : null } as Acceptance;
    return { outcome, available };
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    const message =
      'Another submit of this account is still being decided. Send it again with the same Idempotency-Key.';
    throw new AppError('submission_in_progress', message, {}, { retryAfter: 1, cause: error });
  }
}

/** Why a request at this price would not be accepted at this moment; null when it would. Decides nothing. */
export async function weighGeneration(
  accountId: string,
  keyId: string | null,
  gems: number,
  budget: number | null,
): Promise<Reluctance | null> {
  const { rows } = await pool().query<Reluctance | { outcome: 'accepted' }>({
    name: 'weigh_generation',
    text: 'select w.outcome, w.available from accounts a, weigh_generation(a, $2, $3, $4) w where a.id = $1',
    values: [accountId, keyId, gems, budget],
  });
  const weighed = rows[0] ?? { outcome: 'no_account', available: 0 };
  return weighed.outcome === 'accepted' ? null : weighed;
}
