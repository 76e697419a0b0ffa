import { AppError } from '#lib/errors';
import { isUuid } from '#lib/ids';

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
  throw invalidCursor();
}

const invalidCursor = () => {
  const message = '`cursor` must be the next_cursor of the previous page.';
  return new AppError('invalid_request', message, { issues: [{ path: '/cursor', message }] });
};
