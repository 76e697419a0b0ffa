'use client';

import { useMemo } from 'react';
import { useSearchParams } from 'next/navigation';
import { FILTERS, readFilter } from '#components/history/history-filter';
import { replaceAddress } from '#components/viewer/use-view-address';
import type { HistoryFilter } from '#lib/client/history-queries';

/** What narrows the history, as the address says it. */
export function useHistoryFilter(): HistoryFilter {
  const query = useSearchParams();
  const text = JSON.stringify(readFilter(name => query.get(name)));
  // what is opened over the history stands in the address, too, and is no other filter
  return useMemo(() => JSON.parse(text) as HistoryFilter, [text]);
}

export const clearFilters = (): void => replaceAddress(Object.fromEntries(FILTERS.map(name => [name, null])));
