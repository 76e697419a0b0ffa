/** Opens something over the page by its URL, with a history entry that `closeStep` goes back over. */
export const openStep = (address: string): void => window.history.pushState({ isOwn: true }, '', address);

/** History state for a change of the URL of such an entry, which keeps its mark. */
export const stepNow = () => ({ isOwn: window.history.state?.isOwn as unknown });
