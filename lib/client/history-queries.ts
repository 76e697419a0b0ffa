import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { pageByPage } from '#lib/client/page-by-page';
import { api } from '#lib/client/queries';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { LIVE_STATUSES } from '#lib/status';

/** Filters of the gallery, named as in its URL and in `GET /v1/requests`. */
export interface HistoryFilter {
  type?: string;
  architecture?: string;
  status?: string;
  q?: string;
  mention?: string;
  favourite?: string;
  kept?: string;
  expiring?: string;
  collection?: string;
  tag?: string;
}

export type Pages = InfiniteData<ListWire<RequestWire>>;

/** Size of the first page: small enough to load quickly, large enough that scrolling does not wait. */
export const FIRST_PAGE = 48;
const NEXT_PAGES = 200;

export const GALLERY = 'gallery';

/** Appends a fetched page to the pages now in the cache, which may have been patched since the fetch began. */
const behindNow = (now: Partial<Pages> | undefined, next: Pages): Pages =>
  now?.pages && next.pages.length > now.pages.length ? { ...next, pages: [...now.pages, next.pages.at(-1)!] } : next;

/**
 * The history, page by page. It never becomes stale as a whole: after an hour of scrolling a refetch would be a hundred
 * requests. Changes are patched in instead (`patchHistory`, and `refreshHead` of refresh-head.ts).
 */
export const historyQuery = (filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: [GALLERY, filter],
    queryFn: ({ pageParam, signal }) => fetchPage(filter, pageParam, signal),
    ...pageByPage,
    staleTime: Infinity,
    // the default comparison of all loaded requests, up to ten thousand, for each page would drop frames
    structuralSharing: behindNow as (now: unknown, next: unknown) => unknown,
    refetchOnReconnect: false,
  });

export const fetchPage = (filter: HistoryFilter, cursor?: string, signal?: AbortSignal) =>
  api.listRequests({
    query: {
      ...filter,
      removed: 'false',
      limit: `${cursor ? NEXT_PAGES : FIRST_PAGE}`,
      cursor,
    },
    signal,
  });

export const changePages = (client: QueryClient, change: (page: ListWire<RequestWire>) => ListWire<RequestWire>) =>
  client.setQueriesData<Pages>({ queryKey: [GALLERY] }, data => {
    const pages = data?.pages.map(change);
    // unchanged data keeps its identity, so that the list is not rendered again
    return pages?.some((page, index) => page !== data?.pages[index]) ? { ...data!, pages } : data;
  });

const isNewer = (request: RequestWire | undefined, old: RequestWire): request is RequestWire =>
  request !== undefined &&
  (request.updated_at !== old.updated_at || request.favourite !== old.favourite || request.kept !== old.kept);

/** Replaces older states of requests with newer ones in every list of the history, and removes deleted requests. */
export function patchHistory(client: QueryClient, requests: readonly RequestWire[]): void {
  const newer = new Map(requests.map(request => [request.request_id, request]));
  changePages(client, page => {
    if (!page.data.some(old => isNewer(newer.get(old.request_id), old))) return page;
    const data = page.data.map(old => newer.get(old.request_id) ?? old);
    return { ...page, data: data.filter(({ removed_at }) => !removed_at) };
  });
}

/** Number of changes made by this page. A response that was in flight during a change may be stale. */
let changes = 0;
export const changesSoFar = (): number => changes;

/** Like `patchHistory`, for a change made by this page. Call it when the change is sent, and again when it is done. */
export function changeHistory(client: QueryClient, requests: readonly RequestWire[]): void {
  changes++;
  patchHistory(client, requests);
}

/** Queries whose filter depends on something that has changed. They are removed from the cache when inactive. */
export const outdated = new WeakSet<object>();

export const forgetOutdated = (client: QueryClient): void =>
  client.removeQueries({
    queryKey: [GALLERY],
    type: 'inactive',
    // a list of live requests is soon out of date, so it is never shown again from the cache
    predicate: query => outdated.has(query) || (query.queryKey[1] as HistoryFilter).status === LIVE_STATUSES.join(','),
  });

/** Adds a newly accepted request to the front of the unfiltered list. */
export function addToHistory(client: QueryClient, request: RequestWire): void {
  changes++;
  client.setQueryData<Pages>(historyQuery({}).queryKey, data => {
    const [first, ...rest] = data?.pages ?? [];
    if (!data || !first || first.data.some(({ request_id }) => request_id === request.request_id)) return data;
    return { ...data, pages: [{ ...first, data: [request, ...first.data] }, ...rest] };
  });
}

/** Maximum number of ids per call. */
const IDS_AT_ONCE = 50;

/** Fetches the current states of these requests, of any number, in one call after another. */
export async function fetchRequests(ids: readonly string[], signal?: AbortSignal): Promise<RequestWire[]> {
  if (ids.length === 0) return [];
  const query = { ids: ids.slice(0, IDS_AT_ONCE).join(','), limit: `${IDS_AT_ONCE}` };
  const { data } = await api.listRequests({ query, signal });
  return [...data, ...(await fetchRequests(ids.slice(IDS_AT_ONCE), signal))];
}
