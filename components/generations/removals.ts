'use client';

import { createStore } from '#components/ui/store';

const hidden = createStore<ReadonlySet<string>>(new Set());

/** Returns the ids of requests deleted here: no list shows them, and for ten seconds the deletion can be undone. */
export const useRemovals = hidden.useValue;

export function changeRemovals(how: 'add' | 'delete', ids: readonly string[]): void {
  const next = new Set(hidden.get());
  ids.forEach(id => next[how](id));
  hidden.set(next);
}

/** Functions that send deletions which can still be undone. They must be called before the session ends. */
export const unsent = new Set<() => Promise<void>>();
