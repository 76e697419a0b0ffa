import { env } from '#lib/env';

export const isSecure = (): boolean => env().BASE_URL.startsWith('https:');

/** Returns a `Set-Cookie` header (HttpOnly, SameSite=Lax, and Secure over https). */
export const makeCookie = (name: string, value: string, maxAge: number, path = '/'): string =>
  `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;

/** Returns the value of a cookie in a `Cookie` header; null when it is missing or empty. */
export function findCookie(header: string | null, name: string): string | null {
  const found = header?.split(';').find(part => part.trimStart().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) || null;
}
