'use client';

import { useSyncExternalStore } from 'react';

/** Notifies components of changes outside of React. */
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

/** A value outside of React, for otherwise unrelated parts of a page. The server renders the first value. */
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
