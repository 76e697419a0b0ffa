import type { QueryClient } from '@tanstack/react-query';
import { GALLERY, type Pages } from '#lib/client/history-queries';
import type { ResultWire } from '#lib/contract/schemas';

/** Query keys of the lists of requests. */
const LISTS = [[GALLERY], ['requests', 'pages']];

/** Returns the result at a URL, if it is in a list that the page has loaded. */
export function findMade(client: QueryClient, url: string): ResultWire | undefined {
  for (const queryKey of LISTS)
    for (const [, list] of client.getQueriesData<Pages>({ queryKey }))
      for (const { data } of list?.pages ?? []) for (const { result } of data) if (result?.url === url) return result;
  return undefined;
}
