import type { KeyboardEvent } from 'react';

/** Takes an Escape, pressed inside a dialog, that nothing in it took: Radix hands it to the last layer alone, which a notice may be. */
export function takeEscape(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || event.defaultPrevented) return false;
  // or the browser asks for it to be closed as well
  event.preventDefault();
  return true;
}
