/** Default page after signing in. */
export const HOME = '/create';

/** Maximum length of the path, which is part of mailed links. No path of the app is longer. */
const LONGEST = 2_000;

/** Returns the path in `?next=`, encoded for a header, if it is a page of this site, and otherwise `home`. */
export function nextPath(next: string | string[] | undefined, home: string): string {
  const here = 'http://here';
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, here)) return home;
  const { origin, pathname, search, hash } = new URL(next, here);
  // slashes, backslashes and line breaks could lead to another site, and API routes could change something
  const path = pathname + search + hash;
  return origin === here && !/^\/(\/|api\/)/.test(pathname) && path.length <= LONGEST ? path : home;
}

/** Returns the address of another sign-in page that keeps the wanted destination. */
export const withNext = (page: string, next: string | undefined): string =>
  next && next !== HOME ? `${page}?next=${encodeURIComponent(next)}` : page;
