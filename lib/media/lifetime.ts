const DAY_MS = 86_400_000;

/** Results, stored inputs and uploads live so long. */
export const MEDIA_DAYS = 30;

/** What ends within these is said to expire. */
export const EXPIRING_DAYS = 7;
export const EXPIRING_MS = EXPIRING_DAYS * DAY_MS;

/** When the media of something made at `from` expire. */
export const expiryOf = (from: Date): Date => new Date(from.getTime() + MEDIA_DAYS * DAY_MS);

/** What was made before then has no media any more at `now`, unless it is kept. */
export const mediaSince = (now: Date): Date => new Date(now.getTime() - MEDIA_DAYS * DAY_MS);

/** What ends by then is said to expire at `now`. */
export const expiringUntil = (now: Date): Date => new Date(now.getTime() + EXPIRING_MS);
