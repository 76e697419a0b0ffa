import type { QueryClient } from '@tanstack/react-query';
import { changesSoFar, fetchRequests, patchHistory } from '#lib/client/history-queries';

/** Reads requests again after a failed action. Returns the ids of existing ones; removes deleted ones from lists. */
export async function stillThere(client: QueryClient, ids: readonly string[]): Promise<string[]> {
  const before = changesSoFar();
  const found = await fetchRequests(ids);
  // if this page changed a request meanwhile, the response may be stale, except for deletions, which are final
  patchHistory(client, changesSoFar() === before ? found : found.filter(({ removed_at }) => removed_at));
  const there = new Set(found.filter(({ removed_at }) => !removed_at).map(({ request_id }) => request_id));
  return ids.filter(id => there.has(id));
}
