'use client';

import { showOverlay } from '#components/layout/overlays';

/** From this width on the composer stands beside the stage; else it is folded to a bar. */
export const COMPOSER_STANDS = '(width >= 64rem)';

/** Leads to the composer after something was put into it: unfolds it, or puts the focus into its prompt. */
export function showComposer(): void {
  if (!matchMedia(COMPOSER_STANDS).matches) return showOverlay('composer');
  composerPrompt()?.focus();
}

/** The prompt of the form that is on the page, for what closes over it. */
export const composerPrompt = () => document.querySelector<HTMLElement>('form#create textarea');
