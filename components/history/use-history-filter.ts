'use client';

import { useMemo } from 'react';
import { useSearchParams } from 'next/navigation';
import { FILTERS, readFilter } from '#components/history/history-filter';
import { replaceAddress } from '#components/viewer/use-view-address';
import type { HistoryFilter } from '#lib/client/history-queries';

/** Returns the history filter in the address. */
export function useHistoryFilter(): HistoryFilter {
  const query = useSearchParams();
  const text = JSON.stringify(readFilter(name => query.get(name)));
  // opening the viewer changes the address, too; the filter object must stay identical then
  return useMemo(() => JSON.parse(text) as HistoryFilter, [text]);
}

export const clearFilters = (): void => replaceAddress(Object.fromEntries(FILTERS.map(name => [name, null])));
