import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createCalls } from '#client/operations';
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
