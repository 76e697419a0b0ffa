/** States of a request: a live state becomes final exactly once. Used by the browser too. */
export const LIVE_STATUSES = ['queued', 'in_progress'] as const;
const FINAL_STATUSES = ['completed', 'failed', 'cancelled'] as const;
export const STATUSES = [...LIVE_STATUSES, ...FINAL_STATUSES] as const;

type LiveStatus = (typeof LIVE_STATUSES)[number];
type FinalStatus = (typeof FINAL_STATUSES)[number];
export type Status = LiveStatus | FinalStatus;

export const isFinal = (status: Status): status is FinalStatus => FINAL_STATUSES.some(final => final === status);
export const isLive = (status: Status): status is LiveStatus => !isFinal(status);

const listOf = (statuses: readonly Status[]): string => statuses.map(status => `'${status}'`).join(', ');

/** List for `status in (…)`, spelled the same everywhere so that queries match the predicates of partial indexes. */
export const LIVE_LIST = listOf(LIVE_STATUSES);
export const FINAL_LIST = listOf(FINAL_STATUSES);
/**
 * SQL condition for live requests, by both marks: the index `requests_live` is defined by `finished_at`, the others by
 * `status`. With one mark alone and statistics that show no live requests, the planner may read the live requests of
 * all accounts for one. For sets only: for a request given by id, `status in (…)` alone keeps the planner to the id.
 */
export const liveIn = (row = 'requests'): string => `(${row}.status in (${LIVE_LIST}) and ${row}.finished_at is null)`;

/** States of a recipe's run. A failed or cancelled run can be resumed from the step where it stopped. */
export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
