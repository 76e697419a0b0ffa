'use client';

import { useEffect, useEffectEvent, useState } from 'react';

/** Takes what is dropped anywhere on the page, or pasted, and nothing else took. Whether something it takes is held over the page. */
export function usePageDrop(taken: {
  isTaken: (event: DragEvent) => boolean;
  onDrop: (given: DataTransfer, event: DragEvent) => void;
  onPaste: (given: DataTransfer, event: ClipboardEvent) => void;
}): boolean {
  const [isOver, setOver] = useState(false);
  const isTaken = useEffectEvent(taken.isTaken);
  const onDrop = useEffectEvent(taken.onDrop);
  const onPaste = useEffectEvent(taken.onPaste);
  useEffect(() => {
    const controller = new AbortController();
    const on = <T extends keyof WindowEventMap>(type: T, listener: (event: WindowEventMap[T]) => void) =>
      window.addEventListener(type, listener, { signal: controller.signal });
    on('dragover', event => {
      if (!isTaken(event)) return;
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', event => event.relatedTarget === null && setOver(false));
    on('dragend', () => setOver(false));
    on('drop', event => {
      setOver(false);
      if (event.defaultPrevented || !event.dataTransfer || !isTaken(event)) return;
      event.preventDefault();
      onDrop(event.dataTransfer, event);
    });
    on('paste', event => {
      if (!event.defaultPrevented && event.clipboardData) onPaste(event.clipboardData, event);
    });
    return () => controller.abort();
  }, []);
  return isOver;
}
