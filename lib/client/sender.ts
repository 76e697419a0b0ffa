import type { Sender } from '#client/send';

/** How the studio's pages send. What is tried again, and when, is decided by those who ask. */
export const studio: Sender = { retries: 0 };

/** The same for what must arrive though the page may be on its way out. */
export const parting: Sender = { retries: 0, fetch: (input, init) => fetch(input, { ...init, keepalive: true }) };

/**
 * Says for which account this page was made, until what it gives is called. What a page that was left open sends acts for nobody else
 * who signed in since: it is refused.
 */
export function actFor(account: string): () => void {
  studio.account = parting.account = account;
  return () => {
    studio.account = parting.account = undefined;
  };
}
