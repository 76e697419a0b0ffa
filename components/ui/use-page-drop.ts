'use client';

import { useEffect, useEffectEvent, useState } from 'react';

/** Takes what is dropped anywhere or pasted, and not handled elsewhere. Returns whether it is dragged over the page. */
export function usePageDrop(taken: {
  isTaken: (event: DragEvent) => boolean;
  /** Whether the target is in a layer over the page that is not concerned, where nothing can be dropped. */
  isElsewhere?: (target: EventTarget | null) => boolean;
  onDrop: (given: DataTransfer) => void;
  onPaste: (given: DataTransfer, event: ClipboardEvent) => void;
}): boolean {
  const [isOver, setOver] = useState(false);
  const isTaken = useEffectEvent(taken.isTaken);
  const isElsewhere = useEffectEvent((target: EventTarget | null) => taken.isElsewhere?.(target) ?? false);
  const onDrop = useEffectEvent(taken.onDrop);
  const onPaste = useEffectEvent(taken.onPaste);
  useEffect(() => {
    const controller = new AbortController();
    const on = <T extends keyof WindowEventMap>(type: T, listener: (event: WindowEventMap[T]) => void) =>
      window.addEventListener(type, listener, { signal: controller.signal });
    on('dragover', event => {
      if (!isTaken(event)) return;
      const isRefused = !event.defaultPrevented && isElsewhere(event.target);
      // also for a refused drop, or the browser would open the file
      event.preventDefault();
      if (isRefused) event.dataTransfer!.dropEffect = 'none';
      setOver(!isRefused);
    });
    on('dragleave', event => event.relatedTarget === null && setOver(false));
    on('dragend', () => setOver(false));
    on('drop', event => {
      setOver(false);
      if (event.defaultPrevented || !event.dataTransfer || !isTaken(event)) return;
      event.preventDefault();
      if (isElsewhere(event.target)) return;
      onDrop(event.dataTransfer);
    });
    on('paste', event => {
      if (!event.defaultPrevented && event.clipboardData && !isElsewhere(event.target))
        onPaste(event.clipboardData, event);
    });
    return () => controller.abort();
  }, []);
  return isOver;
}
