/** Returns the gallery tile from which keyboard navigation continues. */
export const tileOneIsAt = () => document.querySelector<HTMLElement>('[data-tile][tabindex="0"]');

/** Focuses the start of the page, for users who are led on to controls that are not mounted yet. */
export const focusPage = () => document.getElementById('content')?.focus({ preventScroll: true });

/** Returns the focus to an element or, if it is removed or cannot be focused, to the current gallery tile. */
export function focusBack(element: HTMLElement | null): void {
  element?.focus();
  if (document.activeElement === document.body) tileOneIsAt()?.focus();
}
