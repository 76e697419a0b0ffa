'use client';

import { useCallback, useMemo, useRef, useState } from 'react';
import type { RequestWire } from '#lib/contract/schemas';

const NONE: ReadonlySet<string> = new Set();

/** Which requests are selected; a range goes from the last one touched. */
export function useSelection(requests: readonly RequestWire[]) {
  const [chosen, setChosen] = useState(NONE);
  const anchor = useRef<number | null>(null);
  const list = useRef(requests);
  list.current = requests;

  const toggle = useCallback((index: number, { range }: { range: boolean }) => {
    const from = range ? (anchor.current ?? index) : index;
    anchor.current = index;
    setChosen(before => {
      const ids = list.current
        .slice(Math.min(from, index), Math.max(from, index) + 1)
        .map(({ request_id }) => request_id);
      const next = new Set(before);
      if (range) for (const id of ids) next.add(id);
      else for (const id of ids) if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const selectAll = useCallback(() => setChosen(new Set(list.current.map(({ request_id }) => request_id))), []);
  const clear = useCallback(() => setChosen(NONE), []);

  // what has left the list is not selected any more
  const selected = useMemo(
    () => (chosen.size === 0 ? [] : requests.filter(({ request_id }) => chosen.has(request_id))),
    [requests, chosen],
  );
  return { chosen, selected, toggle, selectAll, clear };
}
