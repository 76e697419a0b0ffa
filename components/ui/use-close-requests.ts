import { useEffect, useEffectEvent } from 'react';

/** Where a browser has one, it takes the next way back (the button or swipe of Android) and an Escape that nothing else took. */
declare class CloseWatcher extends EventTarget {
  destroy(): void;
}

/**
 * For what lies over the page: the way back of a phone closes it, and does not leave the page. The browser asks the one that came
 * last, once; what does not close, because it asks first or stays, is asked again the next time.
 */
export function useCloseRequests(onClose: () => void, isOpen = true): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen || !('CloseWatcher' in window)) return;
    let watcher: CloseWatcher;
    const asked = () => {
      watch();
      close();
    };
    const watch = () => {
      watcher = new CloseWatcher();
      watcher.addEventListener('close', asked);
    };
    watch();
    return () => watcher.destroy();
  }, [isOpen]);
}
