'use client';

import { useEffect } from 'react';
import { keep, readKept } from '#components/ui/kept';
import { createStore } from '#components/ui/store';

const STORE = 'pomona.count';

const { set, useValue } = createStore(1);

/**
 * Returns how many requests Create submits, whatever the model, and a setter. The count is stored in this browser; the
 * first render has 1, as on the server.
 */
export function useCount(): [count: number, onCount: (count: number) => void] {
  useEffect(readCount, []);
  return [useValue(), keepCount];
}

function readCount() {
  const kept = readKept(STORE, 1);
  set([2, 3, 4].includes(kept) ? kept : 1);
}

function keepCount(count: number) {
  set(count);
  keep(STORE, count);
}
