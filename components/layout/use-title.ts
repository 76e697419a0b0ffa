import { useEffect } from 'react';

/** For what can be renamed where it is shown: the server named the tab after what it was called then. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Pomona`;
  }, [name]);
}
