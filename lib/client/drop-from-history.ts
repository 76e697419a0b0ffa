import type { QueryClient } from '@tanstack/react-query';
import { changeHistory, changePages } from '#lib/client/history-queries';

/** Takes requests that this page has deleted out of every list. */
export function dropFromHistory(client: QueryClient, ids: ReadonlySet<string>): void {
  if (ids.size === 0) return;
  // an answer that is on its way has them still
  changeHistory(client, []);
  changePages(client, page => {
    const data = page.data.filter(({ request_id }) => !ids.has(request_id));
    return data.length === page.data.length ? page : { ...page, data };
  });
}
