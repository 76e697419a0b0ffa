import type { KeyboardEvent } from 'react';

/** In a text of several lines, where Enter begins the next: Ctrl Enter presses the button of its form, if that can be pressed. */
export function sendForm(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  const parts = [...(event.currentTarget.form?.elements ?? [])];
  const button = parts.find(part => part.matches('[type=submit]:enabled'));
  if (!(button instanceof HTMLElement)) return;
  event.preventDefault();
  button.click();
}
