import { useCallback } from 'react';
import { useRemovals } from '#components/generations/removals';
import type { RequestWire } from '#lib/contract/schemas';

/** Returns a predicate: whether a request of a run is not deleted. Runs keep listing deleted requests. */
export function useIsThere() {
  const removals = useRemovals();
  return useCallback(({ request_id, removed_at }: RequestWire) => !removed_at && !removals.has(request_id), [removals]);
}
