'use client';

import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRemovals } from '#components/generations/removals';
import { forgetOutdated, historyQuery, type HistoryFilter } from '#lib/client/history-queries';
import { liveRequestsQuery } from '#lib/client/live-requests';
import type { ListWire, RequestWire } from '#lib/contract/schemas';

/** The first page of the history that came with the document, and its filter. */
export interface FirstPage {
  filter: HistoryFilter;
  page: ListWire<RequestWire>;
}

/** First pages that were used already: data fetched since are newer. */
const shown = new WeakSet<FirstPage>();

/** Returns the loaded history of a filter, kept up to date while requests begin, progress and end on any device. */
export function useHistory(filter: HistoryFilter, first: FirstPage) {
  const queries = useQueryClient();
  const isFirst = JSON.stringify(filter) === JSON.stringify(first.filter);
  const query = useInfiniteQuery({
    ...historyQuery(filter),
    ...(isFirst && {
      initialData: () => (shown.has(first) ? undefined : { pages: [first.page], pageParams: [undefined] }),
    }),
  });
  const { data: look, dataUpdatedAt } = useQuery(liveRequestsQuery);
  const before = useRef<{ ids: readonly string[]; filter: HistoryFilter } | null>(null);

  useEffect(() => {
    shown.add(first);
    const forget = () => forgetOutdated(queries);
    forget();
    return forget;
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- once per filter
  }, [queries, filter, first]);

  useEffect(() => {
    if (!look || !dataUpdatedAt) return;
    const ids = look.live.map(({ request_id }) => request_id);
    const last = before.current;
    // the list of another filter was not updated meanwhile
    const known = last?.filter === filter ? last.ids : null;
    before.current = { ids, filter };
    // the page that came with the document is as new as the live requests that came with it
    if (last === null && queries.getQueryData(historyQuery(filter).queryKey)?.pages[0] === first.page) return;
    // without live requests, one may have begun and ended between two polls; an ended one may match the filter only now
    const isNew = known === null || ids.length === 0 || look.ended.length > 0 || ids.some(id => !known.includes(id));
    // if the refresh fails, `before` is reset, so that the next poll tries again
    if (!isNew) return;
    import('#lib/client/refresh-head')
      .then(({ refreshHead }) => refreshHead(queries, filter))
      .catch(() => (before.current = last));
  }, [look, dataUpdatedAt, queries, filter, first]);

  const removals = useRemovals();
  const requests = useMemo(() => {
    const all = query.data?.pages.flatMap(page => page.data) ?? [];
    return removals.size ? all.filter(({ request_id }) => !removals.has(request_id)) : all;
  }, [query.data, removals]);
  const live = useMemo(() => new Map(look?.live.map(request => [request.request_id, request])), [look]);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  const more = useCallback(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);

  // all loaded requests may be deleted while there are more pages
  const isBare = requests.length === 0;
  useEffect(() => {
    if (isBare) more();
  }, [isBare, more]);

  /** Retries the next page after it failed to load, in which case `more` does nothing. */
  const again = isFetchNextPageError ? () => fetchNextPage({ cancelRefetch: false }) : undefined;
  return { query, requests, live, lookedAt: dataUpdatedAt, more, again };
}
