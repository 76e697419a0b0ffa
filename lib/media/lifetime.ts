const DAY_MS = 86_400_000;

/** Retention period of results, stored inputs and uploads, in days. */
export const MEDIA_DAYS = 30;

/** Media whose expiry is within this many days count as expiring. */
export const EXPIRING_DAYS = 7;
export const EXPIRING_MS = EXPIRING_DAYS * DAY_MS;

/** Returns when the media of a request made at `from` expire. */
export const expiryOf = (from: Date): Date => new Date(from.getTime() + MEDIA_DAYS * DAY_MS);

/** Returns the time before which requests have no media any more at `now`, unless they are kept. */
export const mediaSince = (now: Date): Date => new Date(now.getTime() - MEDIA_DAYS * DAY_MS);

/** Returns the latest expiry that counts as expiring at `now`. */
export const expiringUntil = (now: Date): Date => new Date(now.getTime() + EXPIRING_MS);
