'use client';

import { useMemo } from 'react';
import { useSearchParams } from 'next/navigation';
import { readFilter } from '#components/history/history-filter';
import type { HistoryFilter } from '#lib/client/history-queries';

type Change = Record<string, string | null>;

/** What the address says: the filter, which result is open, which two are compared. Nothing here asks the server for a page. */
export function useHistoryAddress() {
  const query = useSearchParams();
  return useMemo(() => {
    const filter: HistoryFilter = readFilter(name => query.get(name));
    const compared = query.get('compare')?.split(',') ?? [];
    return { filter, viewed: query.get('view'), compared };
  }, [query]);
}

function addressWith(change: Change): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  return location.pathname + (text && `?${text}`);
}

/** Changes the address without a step in the browser's history: filters, and going from one result to the next. */
export const replaceAddress = (change: Change): void => window.history.replaceState(null, '', addressWith(change));

/** Changes the address with a step back: opening something. */
export const pushAddress = (change: Change): void => window.history.pushState(null, '', addressWith(change));
