import type { QueryClient } from '@tanstack/react-query';
import { forgetOutdated, GALLERY, outdated, type HistoryFilter } from '#lib/client/history-queries';

/** Something that a filter names has changed: lists behind it are forgotten, one in sight as soon as it is left. */
export function outdateHistory(client: QueryClient, name: keyof HistoryFilter): void {
  const queries = client.getQueryCache().findAll({ queryKey: [GALLERY] });
  for (const query of queries) if ((query.queryKey[1] as HistoryFilter)[name]) outdated.add(query);
  forgetOutdated(client);
}
