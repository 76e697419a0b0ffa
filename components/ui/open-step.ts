/** Opens something over the page by its address, with a step of the browser's history that `closeStep` goes back over. */
export const openStep = (address: string): void => window.history.pushState({ isOwn: true }, '', address);

/** For what changes the address of such a step: it stays one. */
export const stepNow = () => ({ isOwn: window.history.state?.isOwn as unknown });
