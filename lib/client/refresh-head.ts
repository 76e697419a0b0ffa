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

/** Reads the newest page again: what is new goes in its place, what has changed is replaced, what was deleted goes, too. */
export async function refreshHead(client: QueryClient, filter: HistoryFilter): Promise<void> {
  const { queryKey } = historyQuery(filter);
  const before = changesSoFar();
  const head = await fetchPage(filter);
  // what is missing from it was deleted, fits the filter no more, or has come since
  const others = await fetchRequests(missingFrom(client.getQueryData<Pages>(queryKey), head));
  if (changesSoFar() !== before) return refreshHead(client, filter);
  patchHistory(client, [...head.data, ...others]);
  const data = client.getQueryData<Pages>(queryKey);
  if (!data) return;
  const known = idsOf(data);
  // what is behind all that is loaded comes with its own page
  const end = data.pages.at(-1)?.next_cursor ? ([...known].at(-1) ?? '~') : '';
  const fresh = head.data.filter(({ request_id: id }) => !known.has(id) && id > end);
  const [first, ...rest] = data.pages;
  // a page that is all new may have more behind it
  if (!first || (known.size > 0 && fresh.length === FIRST_PAGE)) return client.resetQueries({ queryKey });
  if (fresh.length === 0) return;
  // what began elsewhere, and is over already, was paid for there
  void client.invalidateQueries({ queryKey: ['account'] });
  // what fits the filter only now may be older than what did before; ids are in the order of time
  const all = [...fresh, ...first.data].toSorted((a, b) => (a.request_id < b.request_id ? 1 : -1));
  client.setQueryData<Pages>(queryKey, { ...data, pages: [{ ...first, data: all }, ...rest] });
}

const idsOf = (data: Pages | undefined): Set<string> =>
  new Set(data?.pages.flatMap(page => page.data.map(({ request_id }) => request_id)));

/** What the page does not have, down to its last; all of it where it is the only one. */
function missingFrom(data: Pages | undefined, { data: head, next_cursor: more }: ListWire<RequestWire>): string[] {
  const there = new Set(head.map(({ request_id }) => request_id));
  const last = more === null ? '' : (head.at(-1)?.request_id ?? '');
  return [...idsOf(data)].filter(id => id > last && !there.has(id));
}
