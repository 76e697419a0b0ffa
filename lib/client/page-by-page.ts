/** For a list that comes page by page: the first needs no cursor, each names that of the next. */
export const pageByPage = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor ?? undefined,
};

/** A list to its end. Few accounts have more than a page of what is read like this. */
export async function allPages<T>(
  read: (cursor: string | undefined) => Promise<{ data: T[]; next_cursor: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(cursor);
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}
