/** Where one goes after signing in without having wanted to go anywhere. */
export const HOME = '/create';

/** No way of ours is longer; it stands in links that are mailed. */
const LONGEST = 2_000;

/** Where to go after signing in, from `?next=`: a page of ours and nothing else, in the form that a header can carry. */
export function nextPath(next: string | string[] | undefined, home: string): string {
  const here = 'http://here';
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, here)) return home;
  const { origin, pathname, search, hash } = new URL(next, here);
  // slashes, backslashes and line breaks can make it another site; what is no page may do more than show something
  const path = pathname + search + hash;
  return origin === here && !/^\/(\/|api\/)/.test(pathname) && path.length <= LONGEST ? path : home;
}

/** Another page on the way in, which knows where one wanted to go. */
export const withNext = (page: string, next: string | undefined): string =>
  next && next !== HOME ? `${page}?next=${encodeURIComponent(next)}` : page;
