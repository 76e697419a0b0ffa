/** The states of a request and how they follow each other (api.md, States and transitions). Pure; the browser uses it too. */
export const LIVE_STATUSES = ['queued', 'in_progress'] as const;
export const FINAL_STATUSES = ['completed', 'failed', 'cancelled'] as const;

export type LiveStatus = (typeof LIVE_STATUSES)[number];
export type FinalStatus = (typeof FINAL_STATUSES)[number];
export type Status = LiveStatus | FinalStatus;

const TRANSITIONS: Record<Status, readonly Status[]> = {
  queued: ['in_progress', 'failed', 'cancelled'],
  in_progress: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export const isFinal = (status: Status): status is FinalStatus => TRANSITIONS[status].length === 0;

export const canBecome = (from: Status, to: Status): boolean => TRANSITIONS[from].includes(to);
