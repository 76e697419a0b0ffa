const DAY_MS = 86_400_000;

/** When the media of something made at `from` expire: results, stored inputs and uploads live 30 days. */
export const expiryOf = (from: Date): Date => new Date(from.getTime() + 30 * DAY_MS);
