/** Returns the dialog or overlay that an event happened in; such events are not meant for the page below. */
export const layerOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('[role=dialog], [data-veil]') : null;

/** Returns the topmost dialog. A dialog takes the focus a moment after it is shown. */
export const topLayer = (): Element | null => [...document.querySelectorAll('[role=dialog]')].at(-1) ?? null;
