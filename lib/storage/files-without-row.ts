/** Minimum age of orphans: a file is stored before its row is written, so a younger file may still get one. */
export const GRACE_MS = 3_600_000;

/** SQL condition: whether neither a media row nor an open upload ticket has the key `file.key`. */
export const WITHOUT_ROW = `
  not exists (select from media where media.key = file.key and deleted_at is null)
  and not exists (select from uploads where uploads.key = file.key and ready_at is null)`;
