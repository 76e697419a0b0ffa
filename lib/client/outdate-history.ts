import type { QueryClient } from '@tanstack/react-query';
import { forgetOutdated, GALLERY, outdated, type HistoryFilter } from '#lib/client/history-queries';

/** Outdates the cached lists that are filtered by `name`. A list on screen is kept until the user leaves it. */
export function outdateHistory(client: QueryClient, name: keyof HistoryFilter): void {
  const queries = client.getQueryCache().findAll({ queryKey: [GALLERY] });
  for (const query of queries) if ((query.queryKey[1] as HistoryFilter)[name]) outdated.add(query);
  forgetOutdated(client);
}
