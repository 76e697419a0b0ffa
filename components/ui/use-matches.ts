import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds; while what the server drew comes to life, what it was drawn for. */
export function useMatches(query: string, asServed: boolean): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => asServed,
  );
}
