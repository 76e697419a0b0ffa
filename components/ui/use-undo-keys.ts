import { useEffect, useEffectEvent } from 'react';

/** Whether the target is a text field, which has its own undo. */
export const isText = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('textarea, input:not([type=radio], [type=checkbox], [type=range])') !== null;

/** Returns which of the two a key event means; null if neither, or if it is already handled. */
export function undoOf(event: KeyboardEvent): 'undo' | 'redo' | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return null;
  const key = event.key.toLowerCase();
  if (key === 'y' || (key === 'z' && event.shiftKey)) return 'redo';
  return key === 'z' ? 'undo' : null;
}

/** Ctrl Z undoes, Ctrl Shift Z and Ctrl Y redo, wherever the focus is, except where `isElsewhere` holds. */
export function useUndoKeys(
  undo: () => void,
  redo: () => void,
  isElsewhere: (target: EventTarget | null) => boolean = isText,
) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const meant = undoOf(event);
    if (!meant || isElsewhere(event.target)) return;
    event.preventDefault();
    (meant === 'redo' ? redo : undo)();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}
