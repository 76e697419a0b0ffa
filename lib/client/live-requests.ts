import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { addToHistory, fetchRequests, GALLERY, patchHistory, type Pages } from '#lib/client/history-queries';
import { api, ONE_REQUEST, requestQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive, LIVE_STATUSES } from '#lib/status';

const SECOND = 1000;

/** Maximum number of requests that one look at all live requests finds. */
export const MOST_LIVE = 200;

/** The result of a look at the live requests. */
export interface LiveLook {
  live: RequestWire[];
  /** Requests that were live, or shown as live, before this look and are final now. */
  ended: RequestWire[];
}

const LIVE = ['requests', 'live'];
const liveNow = (client: QueryClient) => client.getQueryData<LiveLook>(LIVE)?.live;

/** Ids of requests shown as live. One from another device may end before a look at all live requests would find it. */
const shownAsLive = (client: QueryClient): string[] =>
  [
    ...client
      .getQueriesData<Pages>({ queryKey: [GALLERY] })
      .flatMap(([, list]) => list?.pages.flatMap(page => page.data)),
    ...client.getQueriesData<RequestWire>({ queryKey: ONE_REQUEST }).map(([, request]) => request),
  ].flatMap(request => (request && isLive(request.status) ? request.request_id : []));

/**
 * The only poll of a page: every live request of the account, from any device. Most looks read the known requests by
 * id; every `ALL_EVERY`, one reads all live requests, to find those from other devices. Lists get the ended requests.
 */
export const liveRequestsQuery = queryOptions({
  queryKey: LIVE,
  queryFn: async ({ client, signal }): Promise<LiveLook> => {
    const before = liveNow(client)?.map(({ request_id }) => request_id);
    const known = [...new Set([...(before ?? []), ...shownAsLive(client)])];
    const found = known.length > 0 && !isTimeForAll() ? await fetchRequests(known, signal) : await lookForAll();
    const seen = new Set(found.map(({ request_id }) => request_id));
    const data = [...found, ...(await fetchRequests(known.filter(id => !seen.has(id))))];
    // requests accepted while the responses were in flight are in none of them
    const noted = liveNow(client)?.filter(({ request_id: id }) => !known.includes(id) && !seen.has(id)) ?? [];
    const live = [...noted, ...data.filter(({ status }) => isLive(status))];
    const ended = data.filter(({ status }) => !isLive(status));

    // a request from another device has changed the balance
    if (before && live.some(({ request_id }) => !before.includes(request_id)))
      void client.invalidateQueries({ queryKey: ['account'] });
    patchHistory(client, ended);
    for (const request of ended) {
      const { queryKey } = requestQuery(request.request_id);
      // updated directly as well, because the invalidation does not refetch an inactive query
      client.setQueryData(queryKey, one => one && { ...one, ...request });
      void client.invalidateQueries({ queryKey });
    }
    return { live, ended };

    async function lookForAll() {
      lookedForAll = Date.now();
      const query = { status: LIVE_STATUSES.join(','), limit: `${MOST_LIVE}` };
      return (await api.listRequests({ query, signal })).data;
    }
  },
  refetchInterval: ({ state }) => untilNextLook(state.data?.live ?? []),
  refetchIntervalInBackground: true,
  staleTime: SECOND,
});

/** Adds a newly accepted request to every list of the page. After a retry, a look may have found it already. */
export function noteAccepted(client: QueryClient, request: RequestWire): void {
  addToHistory(client, request);
  if (isLive(request.status))
    client.setQueryData(liveRequestsQuery.queryKey, look => {
      const others = look?.live.filter(({ request_id }) => request_id !== request.request_id) ?? [];
      return { live: [request, ...others], ended: [] };
    });
  void client.invalidateQueries({ queryKey: ['account'] });
}

const ALL_EVERY = 10 * SECOND;
let lookedForAll = 0;
const isTimeForAll = () => Date.now() - lookedForAll > ALL_EVERY;

// the interval is also computed on the server, which has no document
const isHidden = () => globalThis.document?.hidden;

/** Returns the delay until the next look: shorter when a request is about to end, longer while the page is hidden. */
function untilNextLook(live: readonly RequestWire[]): number {
  if (live.length === 0) return isHidden() ? 60 * SECOND : 15 * SECOND;
  if (isHidden()) return 10 * SECOND;
  const soonest = Math.min(...live.map(({ eta_seconds = 5 }) => eta_seconds));
  return Math.min(Math.max((soonest * SECOND) / 6, 0.6 * SECOND), 3 * SECOND);
}
