'use client';

import { useMemo } from 'react';
import { useSearchParams } from 'next/navigation';
import { openStep, stepNow } from '#components/ui/open-step';

/** Maximum number of results compared at the same time. */
export const COMPARED_AT_ONCE = 6;

type Change = Record<string, string | null>;

/** Returns the ids in the address that are open over the page: of the viewed result, and of the compared ones. */
export function useViewAddress() {
  const query = useSearchParams();
  const viewed = query.get('view');
  const compared = query.get('compare');
  return useMemo(
    () => ({ viewed, compared: compared?.split(',').slice(0, COMPARED_AT_ONCE) ?? [] }),
    [viewed, compared],
  );
}

/** Returns the id in the address now. Arrow keys may be pressed faster than `useSearchParams` updates. */
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

/** Changes the address without a history entry or a server request, for filters and the steps between results. */
export const replaceAddress = (change: Change): void => window.history.replaceState(stepNow(), '', addressWith(change));

export const openInViewer = (id: string): void => openStep(addressWith({ view: id }));

export const openCompared = (ids: readonly string[]): void => openStep(addressWith({ compare: ids.join(',') }));
