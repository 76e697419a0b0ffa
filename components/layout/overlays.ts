'use client';

import { useSyncExternalStore } from 'react';

/** `composer` is the form of a page that has it folded. */
export type Overlay = 'palette' | 'shortcuts' | 'composer';

let shown: Overlay | null = null;
const listeners = new Set<() => void>();

/** Shows one of the things that any page can call up, or puts it away. */
export function showOverlay(overlay: Overlay | null): void {
  shown = overlay;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useOverlay = (): Overlay | null =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => null,
  );
