import { useEffectEvent, useLayoutEffect } from 'react';

/** Where a browser has one, it takes the next way back: the button or swipe of Android. */
declare class CloseWatcher extends EventTarget {
  destroy(): void;
}

/** What is open over the page, each over the one before it. */
const open: (() => void)[] = [];

/** Closes what came last. Radix asks the one below for a moment longer, and where a notice stands beside it, none. */
export const closeLast = (): void => open.at(-1)?.();

/** Whether anything is open over the page; the browser closes popovers by itself, after everybody has heard the key. */
export const isPageCovered = (): boolean => open.length > 0 || document.querySelector(':popover-open') !== null;

function onKey(event: KeyboardEvent) {
  // an input method takes it for itself while words are chosen
  if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
  // or the browser asks for it to be closed as well
  event.preventDefault();
  closeLast();
}

/**
 * For what lies over the page: an Escape that nothing in it took closes it, and so does the way back of a phone, which does not leave
 * the page. The one that came last is asked, once; what does not close, because it asks first or stays, is asked again the next time.
 */
export function useCloseRequests(onClose: () => void, isOpen = true): void {
  const close = useEffectEvent(onClose);
  // it is over the others from the moment in which it is seen
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
