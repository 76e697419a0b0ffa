import { lt, type AnyColumn, type SQL } from 'drizzle-orm';
import { invalid, type AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';
import { mustBe } from '#lib/issue';

export interface Page<T> {
  data: T[];
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
}

/** Page size when a whole list is read. */
export const PAGE = 200;

/** Yields all rows of a paginated list. */
export async function* pagesOf<T>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<T>>,
): AsyncGenerator<T> {
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await read({ limit: PAGE, cursor });
    yield* data;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** Makes a page from up to `limit + 1` rows: the extra row only shows that there are more. */
export function toPage<T>(rows: T[], limit: number, cursorOf: (row: T) => string): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** SQL condition for rows after the cursor, which is the id of the last row seen; undefined for the first page. */
export function olderThan(id: AnyColumn, cursor: string | undefined): SQL | undefined {
  if (cursor === undefined) return undefined;
  if (!isUuid(cursor)) throw invalidCursor(cursor);
  return lt(id, cursor);
}

export const invalidCursor = (cursor: string): AppError =>
  invalid('invalid_request', [mustBe('/cursor', 'the next_cursor of the page before', cursor)]);
