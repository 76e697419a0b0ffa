/** Paging options of an infinite query: the first page has no cursor, and each page names the cursor of the next. */
export const pageByPage = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor ?? undefined,
};
