/** The cookie that remembers the model used last, so that /create opens where one left. */
export const LAST_ARCHITECTURE_COOKIE = 'architecture';

/** Browser only. */
export function rememberArchitecture(id: string): void {
  document.cookie = `${LAST_ARCHITECTURE_COOKIE}=${id}; path=/create; samesite=lax; max-age=31536000`;
}
