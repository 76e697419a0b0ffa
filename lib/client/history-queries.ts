import { infiniteQueryOptions, type InfiniteData, type QueryClient } from '@tanstack/react-query';
import { pageByPage } from '#lib/client/page-by-page';
import { api } from '#lib/client/queries';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { LIVE_STATUSES } from '#lib/status';

/** What narrows the gallery; the words of its address and of `GET /v1/requests`. */
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

/** Few enough that the first rows come at once, many enough that scrolling does not wait. */
export const FIRST_PAGE = 48;
const NEXT_PAGES = 200;

export const GALLERY = 'gallery';

/** A page that was fetched comes behind the others as they are by now: some may have changed since it was asked for. */
const behindNow = (now: Partial<Pages> | undefined, next: Pages): Pages =>
  now?.pages && next.pages.length > now.pages.length ? { ...next, pages: [...now.pages, next.pages.at(-1)!] } : next;

/**
 * The history, page by page. It never goes stale as a whole: after an hour of scrolling that would be a hundred requests.
 * What changes is patched in (`patchHistory`, `refreshHead` of refresh-head.ts).
 */
export const historyQuery = (filter: HistoryFilter) =>
  infiniteQueryOptions({
    queryKey: [GALLERY, filter],
    queryFn: ({ pageParam, signal }) => fetchPage(filter, pageParam, signal),
    ...pageByPage,
    staleTime: Infinity,
    // comparing ten thousand requests with themselves at every page would cost frames
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
    // what has not changed is not laid out again
    return pages?.some((page, index) => page !== data?.pages[index]) ? { ...data!, pages } : data;
  });

const isNewer = (request: RequestWire | undefined, old: RequestWire): request is RequestWire =>
  request !== undefined &&
  (request.updated_at !== old.updated_at || request.favourite !== old.favourite || request.kept !== old.kept);

/** Puts newer states of requests in the place of older ones, in every list that shows them; what was deleted goes from it. */
export function patchHistory(client: QueryClient, requests: readonly RequestWire[]): void {
  const newer = new Map(requests.map(request => [request.request_id, request]));
  changePages(client, page => {
    if (!page.data.some(old => isNewer(newer.get(old.request_id), old))) return page;
    const data = page.data.map(old => newer.get(old.request_id) ?? old);
    return { ...page, data: data.filter(({ removed_at }) => !removed_at) };
  });
}

/** Counts what this page itself changed: an answer that was on its way meanwhile is older than that. */
let changes = 0;
export const changesSoFar = (): number => changes;

/** The same for a change that this page makes: when it is asked for, and when it is done. */
export function changeHistory(client: QueryClient, requests: readonly RequestWire[]): void {
  changes++;
  patchHistory(client, requests);
}

/** Lists in sight whose filters name what was changed since: once they are left they are not shown again. */
export const outdated = new WeakSet<object>();

export const forgetOutdated = (client: QueryClient): void =>
  client.removeQueries({
    queryKey: [GALLERY],
    type: 'inactive',
    // what is in the making is soon others: a list of it is never shown again
    predicate: query => outdated.has(query) || (query.queryKey[1] as HistoryFilter).status === LIVE_STATUSES.join(','),
  });

/** Puts what was just accepted in front of the list of everything. */
export function addToHistory(client: QueryClient, request: RequestWire): void {
  changes++;
  client.setQueryData<Pages>(historyQuery({}).queryKey, data => {
    const [first, ...rest] = data?.pages ?? [];
    if (!data || !first || first.data.some(({ request_id }) => request_id === request.request_id)) return data;
    return { ...data, pages: [{ ...first, data: [request, ...first.data] }, ...rest] };
  });
}

/** Ids that one call takes. */
const IDS_AT_ONCE = 50;

/** The states of these requests as they are now. */
export async function fetchRequests(ids: readonly string[], signal?: AbortSignal): Promise<RequestWire[]> {
  if (ids.length === 0) return [];
  const query = { ids: ids.slice(0, IDS_AT_ONCE).join(','), limit: `${IDS_AT_ONCE}` };
  const [{ data }, rest] = await Promise.all([
    api.listRequests({ query, signal }),
    fetchRequests(ids.slice(IDS_AT_ONCE), signal),
  ]);
  return [...data, ...rest];
}
