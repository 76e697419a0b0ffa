import { invalid, type AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';
import { mustBe } from '#lib/issue';

export interface Page<T> {
  data: T[];
  /** Given back to get the next page; null on the last one. */
  nextCursor: string | null;
}

/** A page out of `limit + 1` rows: the extra row only tells that there are more. */
export function toPage<T>(rows: T[], limit: number, cursorOf: (row: T) => string): Page<T> {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}

/** A cursor that is the id of the last row seen. */
export function parseIdCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || isUuid(cursor)) return cursor;
  throw invalidCursor(cursor);
}

export const invalidCursor = (cursor: string): AppError =>
  invalid('invalid_request', [mustBe('/cursor', 'the next_cursor of the page before', cursor)]);
