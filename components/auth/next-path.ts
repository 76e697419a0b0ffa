/** Where to go after signing in, from `?next=`: a page of ours and nothing else, in the form that a header can carry. */
export function nextPath(next: string | string[] | undefined, home: string): string {
  const here = 'http://here';
  if (typeof next !== 'string' || !next.startsWith('/') || !URL.canParse(next, here)) return home;
  const { origin, pathname, search, hash } = new URL(next, here);
  // slashes, backslashes and line breaks can make it another site; what is no page may do more than show something
  return origin === here && !/^\/(\/|api\/)/.test(pathname) ? pathname + search + hash : home;
}
