'use client';

import { useEffect, useEffectEvent } from 'react';
import { redoDraft, undoDraft } from '#components/studio/drafts';
import { isInOtherDialog } from '#components/studio/other-dialog';
import { isText, useUndoKeys } from '#components/ui/use-undo-keys';
import type { CatalogEntry } from '#lib/contract/catalog-entry';

/**
 * From wherever the focus is on the page: Ctrl Enter creates, by `onCreate` where the form is not there; Ctrl Z takes a change of the
 * draft back, with Shift it comes again.
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

/** What is no part of the draft: dialogs, and other texts. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  !target.closest('form#create') &&
  (target.closest('[role=dialog]') !== null || isText(target));
