/** The cookie that remembers the model used last, so that Create and Matrix open where one left. */
export const LAST_ARCHITECTURE_COOKIE = 'last_architecture';

/** Browser only. */
export function rememberArchitecture(id: string): void {
  document.cookie = `${LAST_ARCHITECTURE_COOKIE}=${id}; path=/; samesite=lax; max-age=31536000`;
}
