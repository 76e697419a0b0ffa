/** Opens something over the page by its address, with a step of the browser's history that is the page's own. */
export const openStep = (address: string): void => window.history.pushState({ isOwn: true }, '', address);

/** For what changes the address of such a step: it stays one. */
export const stepNow = () => ({ isOwn: window.history.state?.isOwn as unknown });

/** Closes it: back over the step that opened it. Where another page or a link led to it, `close` changes the address. */
export function closeStep(close: () => void): void {
  if (!window.history.state?.isOwn) return close();
  // one step is gone back, however often this is pressed until then
  window.history.replaceState(null, '');
  window.history.back();
}
