import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query matches; during hydration `asServed`, as the server assumed. */
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
