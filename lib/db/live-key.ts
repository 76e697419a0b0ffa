/** SQL condition: whether an API key, or the key of a connected app, is neither revoked nor expired. */
export const keyLives = (row = 'api_keys'): string =>
  `(${row}.revoked_at is null and (${row}.expires_at is null or ${row}.expires_at > now()))`;
