'use client';

import { showOverlay } from '#components/layout/overlays';

/** Media query for a composer beside the stage; on narrower screens it is collapsed to a bar. */
export const COMPOSER_STANDS = '(width >= 64rem)';

/** Brings the composer into view after its draft was filled: opens its sheet, or focuses its prompt. */
export function showComposer(): void {
  if (!matchMedia(COMPOSER_STANDS).matches) return showOverlay('composer');
  composerPrompt()?.focus();
}

/** Returns the prompt field of the mounted form, for dialogs that return the focus to it on close. */
export const composerPrompt = () => document.querySelector<HTMLElement>('form#create textarea');
