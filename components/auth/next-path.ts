/** Where to go after signing in, from `?next=`: a page of ours and nothing else. */
export function nextPath(next: string | string[] | undefined, home: string): string {
  // a second slash, or a backslash that browsers read as one, would be another site
  return typeof next === 'string' && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : home;
}
