'use client';

import { useMemo } from 'react';
import { useSearchParams } from 'next/navigation';
import { openStep, stepNow } from '#components/ui/open-step';

/** Most results that are compared at once. */
export const COMPARED_AT_ONCE = 6;

type Change = Record<string, string | null>;

/** What is open over a page, as the address says it: a result, or some that are compared. */
export function useViewAddress() {
  const query = useSearchParams();
  const viewed = query.get('view');
  const compared = query.get('compare');
  return useMemo(
    () => ({ viewed, compared: compared?.split(',').slice(0, COMPARED_AT_ONCE) ?? [] }),
    [viewed, compared],
  );
}

/** What is open by now: arrows may be pressed faster than a page hears of its address. */
export const viewedNow = (): string | null => new URLSearchParams(location.search).get('view');

function addressWith(change: Change): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  return location.pathname + (text && `?${text}`);
}

/** Changes the address without a step in the browser's history and without asking the server: filters, one result to the next. */
export const replaceAddress = (change: Change): void => window.history.replaceState(stepNow(), '', addressWith(change));

export const openInViewer = (id: string): void => openStep(addressWith({ view: id }));

export const openCompared = (ids: readonly string[]): void => openStep(addressWith({ compare: ids.join(',') }));
