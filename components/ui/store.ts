'use client';

import { useSyncExternalStore } from 'react';

/** Lets components know that something outside of React has changed. */
export function createSignal() {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell() {
      for (const listener of listeners) listener();
    },
  };
}

/** A value outside of React, for parts of a page that have nothing else in common. The server draws the first one. */
export function createStore<T>(first: T) {
  let value = first;
  const { subscribe, tell } = createSignal();
  const get = () => value;
  return {
    get,
    subscribe,
    set(next: T) {
      value = next;
      tell();
    },
    useValue: () => useSyncExternalStore(subscribe, get, () => first),
  };
}
