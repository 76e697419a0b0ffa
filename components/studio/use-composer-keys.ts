'use client';

import { useEffect, useEffectEvent } from 'react';
import { redoDraft, undoDraft } from '#components/studio/drafts';
import { isInOtherDialog } from '#components/studio/other-dialog';
import { isText, useUndoKeys } from '#components/ui/use-undo-keys';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/**
 * Keyboard shortcuts of the whole page: Ctrl Enter submits the form, or calls `onCreate` if it is not mounted; Ctrl Z
 * undoes a change of the draft, Ctrl Shift Z redoes it.
 */
export function useComposerKeys(entry: CatalogEntry, onCreate: (() => void) | undefined) {
  useUndoKeys(
    () => undoDraft(entry),
    () => redoDraft(entry),
    isElsewhere,
  );
  const create = useEffectEvent(() => {
    const form = document.querySelector<HTMLFormElement>('form#create');
    if (form) form.requestSubmit();
    else onCreate?.();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return;
      if (event.key !== 'Enter' || event.repeat || isInOtherDialog(event.target)) return;
      event.preventDefault();
      create();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Whether the target is outside of the draft: in a dialog or another text field. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  !target.closest('form#create') &&
  (target.closest('[role=dialog]') !== null || isText(target));
