'use client';

import { useEffect } from 'react';
import { redoDraft, undoDraft } from '#components/studio/drafts';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/** From wherever the focus is on the page: Ctrl Enter creates; Ctrl Z takes a change of the draft back, with Shift it comes again. */
export function useComposerKeys(entry: CatalogEntry) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      if (event.key === 'Enter') {
        if (event.repeat) return;
        event.preventDefault();
        document.querySelector<HTMLFormElement>('form#create')?.requestSubmit();
        return;
      }
      const key = event.key.toLowerCase();
      const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
      if ((!isRedo && key !== 'z') || isElsewhere(event.target)) return;
      event.preventDefault();
      (isRedo ? redoDraft : undoDraft)(entry);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [entry]);
}

/** A text that is no part of the draft has an undo of its own. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  !target.closest('form#create') &&
  target.closest('[role=dialog], textarea, input:not([type=radio], [type=checkbox], [type=range])') !== null;
