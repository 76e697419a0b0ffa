import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createCalls } from '#client/operations';
import { awaitForms } from '#lib/client/await-forms';
import { allPages, pageByPage } from '#lib/client/page-by-page';
import { parting, studio } from '#lib/client/sender';

/** The API as this page's own account sees it. */
export const api = createCalls(studio);

/** The same API for what must arrive though the page may be on its way out. */
export const partingApi = createCalls(parting);

const SECOND = 1000;

export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: async ({ signal }) => (await api.listArchitectures({ signal })).architectures,
  staleTime: 5 * 60 * SECOND,
});

/** The requests of these ids, up to 50, as they are now. */
export const requestsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['requests', 'ids', ids],
    queryFn: async ({ signal }) =>
      ids.length ? (await api.listRequests({ query: { ids: ids.join(','), limit: '50' }, signal })).data : [],
    placeholderData: keepPreviousData,
  });

/** One request with its resolved config and inputs; read again when `liveRequestsQuery` sees it end. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: ({ signal }) => api.getRequest({ params: { request_id: id }, signal }),
  });

/** The newest few that have these words in their prompts. */
export const worksQuery = (words: string) =>
  queryOptions({
    queryKey: ['requests', 'works', words],
    queryFn: async ({ signal }) =>
      (await api.listRequests({ query: { q: words, removed: 'false', limit: '6' }, signal })).data,
    enabled: words.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10 * SECOND,
  });

export interface RequestFilter {
  status?: string;
  architecture?: string;
  type?: string;
  q?: string;
  removed?: 'true' | 'false';
  limit?: string;
}

/** Requests of the account, newest first, page by page. */
export const requestPagesQuery = (filter: RequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['requests', 'pages', filter],
    queryFn: ({ pageParam, signal }) => api.listRequests({ query: { ...filter, cursor: pageParam }, signal }),
    ...pageByPage,
  });

export const charactersQuery = queryOptions({
  queryKey: ['characters'],
  queryFn: ({ signal }) => allPages(cursor => api.listCharacters({ query: { limit: '200', cursor }, signal })),
  staleTime: 30 * SECOND,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => awaitForms(state.data?.flatMap(({ pictures }) => pictures)),
});

export const referencesQuery = queryOptions({
  queryKey: ['references'],
  queryFn: ({ signal }) => allPages(cursor => api.listReferences({ query: { limit: '200', cursor }, signal })),
  staleTime: 30 * SECOND,
  refetchOnWindowFocus: 'always',
  refetchInterval: ({ state }) => awaitForms(state.data?.flatMap(({ picture }) => picture ?? [])),
});

export const uploadsQuery = infiniteQueryOptions({
  queryKey: ['uploads'],
  queryFn: ({ pageParam, signal }) => api.listUploads({ query: { limit: '200', cursor: pageParam }, signal }),
  ...pageByPage,
  staleTime: 10 * SECOND,
  refetchInterval: ({ state }) =>
    awaitForms(state.data?.pages.flatMap(({ data }) => data.filter(({ status }) => status === 'ready'))),
});
