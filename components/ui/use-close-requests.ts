import { useEffectEvent, useLayoutEffect } from 'react';

/** In browsers that have it, receives the next close request: the back button or back swipe of Android. */
declare class CloseWatcher extends EventTarget {
  destroy(): void;
}

/** Close functions of the layers over the page, from bottom to top. */
const open: (() => void)[] = [];

/** Closes the topmost layer. Radix by itself asks the layer below for a moment, and none while a toast is shown. */
export const closeLast = (): void => open.at(-1)?.();

/** Whether anything is open over the page. The browser closes popovers itself, after all listeners of the key. */
export const isPageCovered = (): boolean => open.length > 0 || document.querySelector(':popover-open') !== null;

function onKey(event: KeyboardEvent) {
  // an input method uses Escape itself during composition
  if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
  // otherwise the browser sends a close request as well
  event.preventDefault();
  closeLast();
}

/**
 * Closes a layer over the page on an Escape that nothing in it handled, or on the back gesture of a phone, which then
 * does not leave the page. Only the topmost layer is asked; one that stays open is asked again the next time.
 */
export function useCloseRequests(onClose: () => void, isOpen = true): void {
  const close = useEffectEvent(onClose);
  // in a layout effect, so that the layer is topmost before it is painted
  useLayoutEffect(() => {
    if (!isOpen) return;
    const ask = () => close();
    if (open.push(ask) === 1) addEventListener('keydown', onKey);
    let watcher: CloseWatcher | undefined;
    const watch = () => {
      watcher = new CloseWatcher();
      watcher.addEventListener('close', asked);
    };
    const asked = () => {
      watch();
      ask();
    };
    if ('CloseWatcher' in window) watch();
    return () => {
      watcher?.destroy();
      open.splice(open.indexOf(ask), 1);
      if (open.length === 0) removeEventListener('keydown', onKey);
    };
  }, [isOpen]);
}
