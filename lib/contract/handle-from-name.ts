/** Returns the name in lower-case ASCII, as the start of a handle of at most `length` characters; may be ''. */
export const handleFromName = (name: string, length: number): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, length)
    .replace(/-+$/, '');
