import type { QueryClient } from '@tanstack/react-query';
import { changesSoFar, fetchRequests, patchHistory } from '#lib/client/history-queries';

/** Looks again at what an act did not come to: the ids of what is in the history. What was deleted elsewhere goes from every list. */
export async function stillThere(client: QueryClient, ids: readonly string[]): Promise<string[]> {
  const before = changesSoFar();
  const found = await fetchRequests(ids);
  // what was changed meanwhile is newer than this answer; what is gone stays gone
  patchHistory(client, changesSoFar() === before ? found : found.filter(({ removed_at }) => removed_at));
  const there = new Set(found.filter(({ removed_at }) => !removed_at).map(({ request_id }) => request_id));
  return ids.filter(id => there.has(id));
}
