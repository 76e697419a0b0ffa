const DAY_MS = 86_400_000;

/** Results, stored inputs and uploads live so long. */
export const MEDIA_DAYS = 30;

/** When the media of something made at `from` expire. */
export const expiryOf = (from: Date): Date => new Date(from.getTime() + MEDIA_DAYS * DAY_MS);
