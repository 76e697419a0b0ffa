'use client';

import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  fetchRequests,
  historyQuery,
  patchHistory,
  refreshHead,
  type HistoryFilter,
} from '#lib/client/history-queries';
import { liveRequestsQuery } from '#lib/client/queries';
import type { ListWire, RequestWire } from '#lib/contract/schemas';

/** The first page that came with the document, and what it is a page of. */
export interface FirstPage {
  filter: HistoryFilter;
  page: ListWire<RequestWire>;
}

/** The history behind a filter: what is loaded of it, kept up to date while requests begin, grow and end anywhere. */
export function useHistory(filter: HistoryFilter, first: FirstPage) {
  const client = useQueryClient();
  const isFirst = JSON.stringify(filter) === JSON.stringify(first.filter);
  const query = useInfiniteQuery({
    ...historyQuery(filter),
    ...(isFirst && { initialData: { pages: [first.page], pageParams: [''] } }),
  });
  const { data: live, dataUpdatedAt } = useQuery(liveRequestsQuery);
  const before = useRef<readonly string[] | null>(null);

  useEffect(() => {
    if (!live || !dataUpdatedAt) return;
    const ids = live.map(({ request_id }) => request_id);
    const known = before.current;
    before.current = ids;
    const gone = known?.filter(id => !ids.includes(id)) ?? [];
    // with none live, something may have begun and ended between two looks
    const isNew = known === null || ids.length === 0 || ids.some(id => !known.includes(id));
    const catchUp = async () => {
      patchHistory(client, await fetchRequests(gone));
      if (isNew) await refreshHead(client, filter);
    };
    // the next look at the live ones tries again
    if (gone.length || isNew) catchUp().catch(() => (before.current = known));
  }, [live, dataUpdatedAt, client, filter]);

  const requests = useMemo(() => query.data?.pages.flatMap(page => page.data) ?? [], [query.data]);
  const liveById = useMemo(() => new Map(live?.map(request => [request.request_id, request])), [live]);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  return { query, requests, live: liveById, more };
}
