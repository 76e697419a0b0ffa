/** What lies over the page where something happens: a dialog, or the veil around it. What one does there is not meant for the page. */
export const layerOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('[role=dialog], [data-veil]') : null;

/** The dialog that lies over all else. It takes the focus a moment after it is seen. */
export const topLayer = (): Element | null => [...document.querySelectorAll('[role=dialog]')].at(-1) ?? null;
