// apart from what opens it: that is on pages where most open nothing

/** Closes what is open over the page: back over the step that opened it. Where a link or another page led to it, `close` changes the address. */
export function closeStep(close: () => void): void {
  if (!window.history.state?.isOwn) return close();
  // one step is gone back, however often this is pressed until then
  window.history.replaceState(null, '');
  window.history.back();
}
