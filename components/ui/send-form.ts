import type { KeyboardEvent } from 'react';

/** For multi-line fields, where Enter adds a line: Ctrl Enter presses the form's submit button if it is enabled. */
export function sendForm(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  const parts = [...(event.currentTarget.form?.elements ?? [])];
  const button = parts.find(part => part.matches('[type=submit]:enabled'));
  if (!(button instanceof HTMLElement)) return;
  event.preventDefault();
  button.click();
}
