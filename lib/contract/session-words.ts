/** What a page that was left open is told when another account is signed in by then; the page knows it by these words. */
export const OTHER_HERE = 'Someone else is signed in here now. Reload the page to continue as them.';

/** What a page reads whose session ended while it was open. */
export const SIGNED_OUT = 'You are signed out. Sign in in another tab, then continue here.';
