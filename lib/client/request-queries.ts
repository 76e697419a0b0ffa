import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { pageByPage } from '#lib/client/page-by-page';
import { api } from '#lib/client/queries';

const SECOND = 1000;

/** The requests of these ids, up to 50, as they are now. */
export const requestsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['requests', 'ids', ids],
    queryFn: async ({ signal }) =>
      ids.length ? (await api.listRequests({ query: { ids: ids.join(','), limit: '50' }, signal })).data : [],
    placeholderData: keepPreviousData,
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

interface RequestFilter {
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
