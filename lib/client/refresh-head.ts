import type { QueryClient } from '@tanstack/react-query';
import {
  changesSoFar,
  fetchPage,
  fetchRequests,
  FIRST_PAGE,
  historyQuery,
  patchHistory,
  type HistoryFilter,
  type Pages,
} from '#lib/client/history-queries';
import type { ListWire, RequestWire } from '#lib/contract/schemas';

/** Reads the first page of a list again: adds new requests, replaces changed ones and removes deleted ones. */
export async function refreshHead(client: QueryClient, filter: HistoryFilter): Promise<void> {
  const { queryKey } = historyQuery(filter);
  const before = changesSoFar();
  const head = await fetchPage(filter);
  // a loaded request missing from the head was deleted, no longer matches the filter, or was added since
  const others = await fetchRequests(missingFrom(client.getQueryData<Pages>(queryKey), head));
  if (changesSoFar() !== before) return refreshHead(client, filter);
  patchHistory(client, [...head.data, ...others]);
  const data = client.getQueryData<Pages>(queryKey);
  if (!data) return;
  const known = idsOf(data);
  // requests older than the last loaded one come with their own page
  const end = data.pages.at(-1)?.next_cursor ? ([...known].at(-1) ?? '~') : '';
  const fresh = head.data.filter(({ request_id: id }) => !known.has(id) && id > end);
  const [first, ...rest] = data.pages;
  // when the whole page is new, more new requests may follow, so the list is loaded again
  if (!first || (known.size > 0 && fresh.length === FIRST_PAGE)) return client.resetQueries({ queryKey });
  if (fresh.length === 0) return;
  // a request from another device may have ended already, and has changed the balance
  void client.invalidateQueries({ queryKey: ['account'] });
  // a request that only now matches the filter may be older than loaded ones; ids sort by time
  const all = [...fresh, ...first.data].toSorted((a, b) => (a.request_id < b.request_id ? 1 : -1));
  client.setQueryData<Pages>(queryKey, { ...data, pages: [{ ...first, data: all }, ...rest] });
}

const idsOf = (data: Pages | undefined): Set<string> =>
  new Set(data?.pages.flatMap(page => page.data.map(({ request_id }) => request_id)));

/** Ids of loaded requests that the head lacks, down to its last entry, or all such ids when it is the only page. */
function missingFrom(data: Pages | undefined, { data: head, next_cursor: more }: ListWire<RequestWire>): string[] {
  const there = new Set(head.map(({ request_id }) => request_id));
  const last = more === null ? '' : (head.at(-1)?.request_id ?? '');
  return [...idsOf(data)].filter(id => id > last && !there.has(id));
}
