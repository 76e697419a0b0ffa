import { queryOptions } from '@tanstack/react-query';
import { createCalls } from '#client/operations';
import { studio } from '#lib/client/sender';

/** The API as this page's own account sees it. */
export const api = createCalls(studio);

const SECOND = 1000;

export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: async ({ signal }) => (await api.listArchitectures({ signal })).architectures,
  staleTime: 5 * 60 * SECOND,
});

/** Keys of single requests begin with it. */
export const ONE_REQUEST = ['requests', 'one'];

/** One request with its resolved config and inputs; read again when `liveRequestsQuery` sees it end. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: [...ONE_REQUEST, id],
    queryFn: ({ signal }) => api.getRequest({ params: { request_id: id }, signal }),
  });
