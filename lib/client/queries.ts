import { queryOptions } from '@tanstack/react-query';
import { createCalls } from '#client/operations';
import { studio } from '#lib/client/sender';

/** The `/v1` API, for the signed-in account of this page. */
export const api = createCalls(studio);

const SECOND = 1000;

export const catalogQuery = queryOptions({
  queryKey: ['catalog'],
  queryFn: async ({ signal }) => (await api.listArchitectures({ signal })).architectures,
  staleTime: 5 * 60 * SECOND,
});

/** Prefix of the query keys of single requests. */
export const ONE_REQUEST = ['requests', 'one'];

/** One request with its resolved config and inputs. `liveRequestsQuery` invalidates it when the request ends. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: [...ONE_REQUEST, id],
    queryFn: ({ signal }) => api.getRequest({ params: { request_id: id }, signal }),
  });
