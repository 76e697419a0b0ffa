import type { QueryClient } from '@tanstack/react-query';
import { changeHistory, changePages } from '#lib/client/history-queries';

/** Removes requests that this page has deleted from every list of the history. */
export function dropFromHistory(client: QueryClient, ids: ReadonlySet<string>): void {
  if (ids.size === 0) return;
  // counts as a change, since a response in flight may still contain these requests
  changeHistory(client, []);
  changePages(client, page => {
    const data = page.data.filter(({ request_id }) => !ids.has(request_id));
    return data.length === page.data.length ? page : { ...page, data };
  });
}
