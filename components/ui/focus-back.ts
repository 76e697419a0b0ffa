import { useState } from 'react';

/** The tile of a gallery that keys go on from. */
export const tileOneIsAt = () => document.querySelector<HTMLElement>('[data-tile][tabindex="0"]');

/** Gives the focus back to what had it; when that is gone, or can have it no more, to the tile one was at. */
function focusBack(element: HTMLElement | null): void {
  element?.focus();
  if (document.activeElement === document.body) tileOneIsAt()?.focus();
}

/** For `onCloseAutoFocus` of what opens without a trigger, which would leave the focus nowhere. */
export function useFocusBack(to?: () => HTMLElement | null): (event: Event) => void {
  // the server draws nothing of it
  const [opener] = useState(() => (typeof document === 'undefined' ? null : (document.activeElement as HTMLElement)));
  return event => {
    event.preventDefault();
    focusBack(to?.() ?? opener);
  };
}
