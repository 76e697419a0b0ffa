import type { ByteRange } from '#lib/storage/storage';

/**
 * Returns the byte range that a Range header asks for in a file of `size` bytes. `null` means the whole file: no
 * header, several ranges, or a malformed one, which RFC 9110 lets a server ignore.
 */
export function parseRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  return start >= size ? 'unsatisfiable' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Whether an If-None-Match header names `etag`; weak comparison, as for GET. */
export const matchesEtag = (header: string | null, etag: string): boolean =>
  header !== null && header.split(',').some(part => part.trim() === '*' || part.trim().replace(/^W\//, '') === etag);

/** Whether an If-Match header permits reading a file with `etag`; strong comparison, as the bytes must be identical. */
export const allowsEtag = (header: string | null, etag: string): boolean =>
  header === null || header.split(',').some(part => ['*', etag].includes(part.trim()));
