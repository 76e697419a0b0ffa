import { env } from '#lib/env';

export const isSecure = (): boolean => env().BASE_URL.startsWith('https:');

/** A `Set-Cookie` that scripts of the page do not see and other sites do not send. */
export const makeCookie = (name: string, value: string, maxAge: number, path = '/'): string =>
  `${name}=${value}; Path=${path}; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`;

/** The value of a cookie in a `Cookie` header; null when there is none. */
export function findCookie(header: string | null, name: string): string | null {
  const found = header?.split(';').find(part => part.trimStart().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) || null;
}
