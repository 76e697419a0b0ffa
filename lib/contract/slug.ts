/** Returns a name as an id of at most `length` characters in `[a-z0-9_]`, a letter first; '' when nothing remains. */
export const slug = (name: string, length: number): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, length)
    .replace(/_+$/, '');
