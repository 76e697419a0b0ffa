/** The tile of a gallery that keys go on from. */
export const tileOneIsAt = () => document.querySelector<HTMLElement>('[data-tile][tabindex="0"]');

/** Goes to where the page begins, for who is led on to controls that are not there yet. */
export const focusPage = () => document.getElementById('content')?.focus({ preventScroll: true });

/** Gives the focus back to what had it; when that is gone, or can have it no more, to the tile one was at. */
export function focusBack(element: HTMLElement | null): void {
  element?.focus();
  if (document.activeElement === document.body) tileOneIsAt()?.focus();
}
