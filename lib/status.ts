/** The states of a request: live ones become final, once. Pure; the browser uses it too. */
export const LIVE_STATUSES = ['queued', 'in_progress'] as const;
const FINAL_STATUSES = ['completed', 'failed', 'cancelled'] as const;
export const STATUSES = [...LIVE_STATUSES, ...FINAL_STATUSES] as const;

type LiveStatus = (typeof LIVE_STATUSES)[number];
type FinalStatus = (typeof FINAL_STATUSES)[number];
export type Status = LiveStatus | FinalStatus;

export const isFinal = (status: Status): status is FinalStatus => FINAL_STATUSES.some(final => final === status);
export const isLive = (status: Status): status is LiveStatus => !isFinal(status);

const listOf = (statuses: readonly Status[]): string => statuses.map(status => `'${status}'`).join(', ');

/** For `status in (…)`, spelled alike everywhere so that the partial indexes serve. */
export const LIVE_LIST = listOf(LIVE_STATUSES);
export const FINAL_LIST = listOf(FINAL_STATUSES);
/**
 * For `where`: what is live, by both of its marks. An index of all that is live knows the second one alone, those of a part of it the
 * first: where nothing seems to be live, one is as good as another to the planner, and it would read what everybody has live for what
 * one account has. For sets only: where a request is named by its id, `status in (…)` alone keeps the planner to that id.
 */
export const liveIn = (row = 'requests'): string => `(${row}.status in (${LIVE_LIST}) and ${row}.finished_at is null)`;

/** The states of a recipe's run. One that failed or was cancelled can be run again from where it stopped. */
export const RUN_STATUSES = ['running', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
