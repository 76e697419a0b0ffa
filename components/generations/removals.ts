'use client';

import { createStore } from '#components/ui/store';

const hidden = createStore<ReadonlySet<string>>(new Set());

/** Requests that were deleted here: no list shows them, and for ten seconds they can be had back. */
export const useRemovals = hidden.useValue;

export function changeRemovals(how: 'add' | 'delete', ids: readonly string[]): void {
  const next = new Set(hidden.get());
  ids.forEach(id => next[how](id));
  hidden.set(next);
}

/** What sends the deletions that can still be undone: whoever ends the session does it first. */
export const unsent = new Set<() => Promise<void>>();
