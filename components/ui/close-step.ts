// separate from `openStep`: on most pages that load it, nothing is opened, so this is not needed

/**
 * Closes what is open over the page by going back over the history entry that opened it. If a link or another page
 * opened it, calls `close`, which changes the URL.
 */
export function closeStep(close: () => void): void {
  if (!window.history.state?.isOwn) return close();
  // only one step back is taken, however often this is called before the navigation
  window.history.replaceState(null, '');
  window.history.back();
}
