/** Minimum age of orphans: a file is stored before its row is written, so a younger file may still get one. */
export const GRACE_MS = 3_600_000;

/** SQL condition: whether neither a media row nor an open upload ticket has this key. */
export const withoutRow = (key: string): string => `
  not exists (select from media where media.key = ${key} and deleted_at is null)
  and not exists (select from uploads where uploads.key = ${key} and ready_at is null)`;
