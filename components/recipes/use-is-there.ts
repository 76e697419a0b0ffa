import { useCallback } from 'react';
import { useRemovals } from '#components/generations/removals';
import type { RequestWire } from '#lib/contract/schemas';

/** Whether a request of a run was not deleted since; the run knows it all the same. */
export function useIsThere() {
  const removals = useRemovals();
  return useCallback(({ request_id, removed_at }: RequestWire) => !removed_at && !removals.has(request_id), [removals]);
}
