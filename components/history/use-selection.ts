'use client';

import { useCallback, useMemo, useRef, useState } from 'react';
import type { RequestWire } from '#lib/contract/schemas';

const NONE: ReadonlySet<string> = new Set();

/** Returns the selected requests and the means to change them; a range extends from the request toggled last. */
export function useSelection(requests: readonly RequestWire[]) {
  const [chosen, setChosen] = useState(NONE);
  const [isBegun, setBegun] = useState(false);
  const anchor = useRef<string | null>(null);

  const toggle = useCallback(
    (index: number, { range }: { range: boolean }) => {
      // looked up by id, because new requests shift the indices
      const last = requests.findIndex(({ request_id }) => request_id === anchor.current);
      const from = range && last >= 0 ? last : index;
      anchor.current = requests[index]!.request_id;
      const touched = requests.slice(Math.min(from, index), Math.max(from, index) + 1);
      setChosen(before => {
        const next = new Set(before);
        for (const { request_id } of touched) if (range || !next.delete(request_id)) next.add(request_id);
        return next;
      });
    },
    [requests],
  );
  const begin = useCallback(() => setBegun(true), []);
  const selectAll = useCallback(() => setChosen(new Set(requests.map(({ request_id }) => request_id))), [requests]);
  const clear = useCallback(() => {
    anchor.current = null;
    setChosen(NONE);
    setBegun(false);
  }, []);

  // requests that have left the list are no longer selected
  const selected = useMemo(
    () => (chosen.size === 0 ? [] : requests.filter(({ request_id }) => chosen.has(request_id))),
    [requests, chosen],
  );
  return { chosen, selected, isSelecting: isBegun || selected.length > 0, begin, toggle, selectAll, clear };
}
