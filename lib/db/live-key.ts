/** For `where`: an API key, or what an app acts by, that is neither revoked nor over. */
export const keyLives = (row = 'api_keys'): string =>
  `(${row}.revoked_at is null and (${row}.expires_at is null or ${row}.expires_at > now()))`;
