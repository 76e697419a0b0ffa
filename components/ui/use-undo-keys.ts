import { useEffect, useEffectEvent } from 'react';

/** A text has an undo of its own. */
export const isText = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('textarea, input:not([type=radio], [type=checkbox], [type=range])') !== null;

/** Which of the two a key means, where nobody took it. */
export function undoOf(event: KeyboardEvent): 'undo' | 'redo' | null {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return null;
  const key = event.key.toLowerCase();
  if (key === 'y' || (key === 'z' && event.shiftKey)) return 'redo';
  return key === 'z' ? 'undo' : null;
}

/** Ctrl Z takes back, with Shift it comes again (as with Ctrl Y), wherever on the page the focus is, except at what `isElsewhere` says. */
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
