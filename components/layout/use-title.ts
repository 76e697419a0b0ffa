import { useEffect } from 'react';

/** Sets the document title for things that can be renamed on their page; the server's title has the old name. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Pomona`;
  }, [name]);
}
