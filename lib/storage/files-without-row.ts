/** A file is stored before its row: a young one without a row may be about to get it. */
export const GRACE_MS = 3_600_000;

/** SQL: whether no row stands for a file of this key. */
export const withoutRow = (key: string): string => `
  not exists (select from media where media.key = ${key} and deleted_at is null)
  and not exists (select from uploads where uploads.key = ${key} and ready_at is null)`;
