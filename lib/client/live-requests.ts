import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { addToHistory, fetchRequests, GALLERY, patchHistory, type Pages } from '#lib/client/history-queries';
import { api, ONE_REQUEST, requestQuery } from '#lib/client/queries';
import type { RequestWire } from '#lib/contract/schemas';
import { isLive, LIVE_STATUSES } from '#lib/status';

const SECOND = 1000;

/** That one look finds. */
export const MOST_LIVE = 200;

/** What one look at the live requests saw. */
export interface LiveLook {
  live: RequestWire[];
  /** What was live at the look before and is final now. */
  ended: RequestWire[];
}

const LIVE = ['requests', 'live'];
const liveNow = (client: QueryClient) => client.getQueryData<LiveLook>(LIVE)?.live;

/** What began elsewhere may be on this page already, and end before a look at all would find it. */
const shownAsLive = (client: QueryClient): string[] =>
  [
    ...client
      .getQueriesData<Pages>({ queryKey: [GALLERY] })
      .flatMap(([, list]) => list?.pages.flatMap(page => page.data)),
    ...client.getQueriesData<RequestWire>({ queryKey: ONE_REQUEST }).map(([, request]) => request),
  ].flatMap(request => (request && isLive(request.status) ? request.request_id : []));

/**
 * The one poll of a page: every live request of the account, from whatever device. Most looks ask for those that are known;
 * now and then one asks for all, so that what began elsewhere is found. Lists learn from it what became of theirs.
 */
export const liveRequestsQuery = queryOptions({
  queryKey: LIVE,
  queryFn: async ({ client, signal }): Promise<LiveLook> => {
    const before = liveNow(client)?.map(({ request_id }) => request_id);
    const known = [...new Set([...(before ?? []), ...shownAsLive(client)])];
    const found = known.length > 0 && !isTimeForAll() ? await fetchRequests(known, signal) : await lookForAll();
    const seen = new Set(found.map(({ request_id }) => request_id));
    const data = [...found, ...(await fetchRequests(known.filter(id => !seen.has(id))))];
    // what was accepted while the answers were on their way is in none of them
    const noted = liveNow(client)?.filter(({ request_id: id }) => !known.includes(id) && !seen.has(id)) ?? [];
    const live = [...noted, ...data.filter(({ status }) => isLive(status))];
    const ended = data.filter(({ status }) => !isLive(status));

    // what began elsewhere was paid for there
    if (before && live.some(({ request_id }) => !before.includes(request_id)))
      void client.invalidateQueries({ queryKey: ['account'] });
    patchHistory(client, ended);
    for (const request of ended) {
      const { queryKey } = requestQuery(request.request_id);
      // seen to end once, also where nobody reads it again
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

/** Lets every list of the page know what the server has just accepted; of what is sent again a look may have told already. */
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

// the server asks, too, how long it would be
const isHidden = () => globalThis.document?.hidden;

/** Soon when something is about to end, later when not, seldom while nobody looks. */
function untilNextLook(live: readonly RequestWire[]): number {
  if (live.length === 0) return isHidden() ? 60 * SECOND : 15 * SECOND;
  if (isHidden()) return 10 * SECOND;
  const soonest = Math.min(...live.map(({ eta_seconds = 5 }) => eta_seconds));
  return Math.min(Math.max((soonest * SECOND) / 6, 0.6 * SECOND), 3 * SECOND);
}
