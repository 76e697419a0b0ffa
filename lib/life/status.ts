/** The states of a request (api.md, States and transitions): live ones become final, once. Pure; the browser uses it too. */
export const LIVE_STATUSES = ['queued', 'in_progress'] as const;
export const FINAL_STATUSES = ['completed', 'failed', 'cancelled'] as const;

export type LiveStatus = (typeof LIVE_STATUSES)[number];
export type FinalStatus = (typeof FINAL_STATUSES)[number];
export type Status = LiveStatus | FinalStatus;

export const isFinal = (status: Status): status is FinalStatus => FINAL_STATUSES.some(final => final === status);
