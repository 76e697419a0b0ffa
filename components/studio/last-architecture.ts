/** Cookie with the id of the model used last, with which Create and Matrix open. */
export const LAST_ARCHITECTURE_COOKIE = 'last_architecture';

/** Sets the cookie. Browser only. */
export function rememberArchitecture(id: string): void {
  document.cookie = `${LAST_ARCHITECTURE_COOKIE}=${id}; path=/; samesite=lax; max-age=31536000`;
}
