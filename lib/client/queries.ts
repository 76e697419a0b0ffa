import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createCalls } from '#client/operations';
import { LIVE_STATUSES, isLive } from '#lib/status';

/** The API as this page's own account sees it. What is tried again, and when, is decided by those who ask. */
export const api = createCalls({ retries: 0 });

const SECOND = 1000;

const isHidden = () => typeof document !== 'undefined' && document.visibilityState === 'hidden';

/** How long until the next look at requests: soon while some are live and the page is seen. */
const untilNext = (live: boolean, idle: number | false) => (!live ? idle : isHidden() ? 10 * SECOND : SECOND);

export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: async ({ signal }) => (await api.listArchitectures({ signal })).architectures,
  staleTime: 5 * 60 * SECOND,
});

/** Every live request of the account, from whatever device. Asked for now and then even when there is none. */
export const liveRequestsQuery = queryOptions({
  queryKey: ['requests', 'live'],
  queryFn: async ({ signal }) =>
    (await api.listRequests({ query: { status: LIVE_STATUSES.join(','), limit: '50' }, signal })).data,
  refetchInterval: ({ state }) => untilNext(Boolean(state.data?.length), 15 * SECOND),
  refetchIntervalInBackground: true,
  staleTime: SECOND,
});

/** The requests of these ids (up to 50), as long as one of them is live again and again. */
export const requestsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['requests', 'ids', ids],
    queryFn: async ({ signal }) =>
      ids.length ? (await api.listRequests({ query: { ids: ids.join(','), limit: '50' }, signal })).data : [],
    refetchInterval: ({ state }) =>
      untilNext(state.data === undefined || state.data.some(({ status }) => isLive(status)), false),
    refetchIntervalInBackground: true,
    placeholderData: keepPreviousData,
  });

/** One request with its resolved config and inputs. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => api.getRequest({ params: { request_id: id }, signal }),
    refetchInterval: ({ state }) => untilNext(!state.data || isLive(state.data.status), false),
  });

export interface RequestFilter {
  status?: string;
  architecture?: string;
  type?: string;
  q?: string;
  limit?: string;
}

/** Requests of the account, newest first, page by page. */
export const requestPagesQuery = (filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['requests', 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      api.listRequests({ query: { ...filter, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next_cursor ?? undefined,
  });

/** The newest requests, whatever they are. */
export const recentRequestsQuery = queryOptions({
  queryKey: ['requests', 'pages', 'recent'],
  queryFn: async ({ signal }) =>
    (await api.listRequests({ query: { status: 'completed', removed: 'false', limit: '24' }, signal })).data,
  staleTime: 5 * SECOND,
});

export const charactersQuery = queryOptions({
  queryKey: ['characters'],
  queryFn: async ({ signal }) => (await api.listCharacters({ query: { limit: '200' }, signal })).data,
  staleTime: 30 * SECOND,
});

export const referencesQuery = queryOptions({
  queryKey: ['references'],
  queryFn: async ({ signal }) => (await api.listReferences({ query: { limit: '200' }, signal })).data,
  staleTime: 30 * SECOND,
});

export const uploadsQuery = queryOptions({
  queryKey: ['uploads'],
  queryFn: async ({ signal }) => (await api.listUploads({ query: { limit: '200' }, signal })).data,
  staleTime: 10 * SECOND,
});
