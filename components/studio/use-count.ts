'use client';

import { useEffect } from 'react';
import { createStore } from '#components/ui/store';

const STORE = 'pomona.count';

const { set, useValue } = createStore(1);

/** How many a press of Create makes, of whatever model. It is kept in this browser; the first render has one, as the server's does. */
export function useCount(): [count: number, onCount: (count: number) => void] {
  useEffect(readCount, []);
  return [useValue(), keepCount];
}

function readCount() {
  try {
    const kept = Number(localStorage.getItem(STORE));
    set([2, 3, 4].includes(kept) ? kept : 1);
  } catch {
    // storage is switched off: the page knows it for itself
  }
}

function keepCount(count: number) {
  set(count);
  try {
    localStorage.setItem(STORE, String(count));
  } catch {
    // full or switched off: the page knows it for itself
  }
}
