import type { ByteRange } from '#lib/storage/storage';

/**
 * What a Range header asks of `size` bytes. `null` stands for all of them: no header, several ranges or one that is
 * malformed, which RFC 9110 lets a server ignore.
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

/** Whether an If-Match header lets a file with `etag` be read; strong comparison, since its bytes are to be the same. */
export const allowsEtag = (header: string | null, etag: string): boolean =>
  header === null || header.split(',').some(part => ['*', etag].includes(part.trim()));
