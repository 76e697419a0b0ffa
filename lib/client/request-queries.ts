import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { pageByPage } from '#lib/client/page-by-page';
import { api } from '#lib/client/queries';
import type { MediaKind } from '#lib/media-kind';

const SECOND = 1000;

/** The current states of the requests with these ids, at most 50. */
export const requestsQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['requests', 'ids', ids],
    queryFn: async ({ signal }) =>
      ids.length ? (await api.listRequests({ query: { ids: ids.join(','), limit: '50' }, signal })).data : [],
    placeholderData: keepPreviousData,
  });

/** The newest few requests whose prompts contain these words. */
export const worksQuery = (words: string) =>
  queryOptions({
    queryKey: ['requests', 'works', words],
    queryFn: async ({ signal }) =>
      (await api.listRequests({ query: { q: words, removed: 'false', limit: '6' }, signal })).data,
    enabled: words.length > 1,
    placeholderData: keepPreviousData,
    staleTime: 10 * SECOND,
  });

/** Completed requests of a media kind, without deleted ones, newest first, page by page. */
export const madePagesQuery = (type: MediaKind) =>
  infiniteQueryOptions({
    queryKey: ['requests', 'pages', type],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.listRequests({ query: { type, status: 'completed', removed: 'false', limit: '30', cursor }, signal }),
    ...pageByPage,
  });
