/** What lies over the page where something happens: a dialog, or the veil around it. What one does there is not meant for the page. */
export const layerOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('[role=dialog], [data-veil]') : null;
