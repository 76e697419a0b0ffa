/** Message to a page left open while another account signed in; the page compares messages with this text. */
export const OTHER_HERE = 'Someone else is signed in here now. Reload the page to continue as them.';

/** Message to a page whose session ended while it was open. */
export const SIGNED_OUT = 'You are signed out. Sign in in another tab, then continue here.';
