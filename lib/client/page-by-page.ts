/** For a list that comes page by page: the first needs no cursor, each names that of the next. */
export const pageByPage = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor ?? undefined,
};
