import type { Sender } from '#client/send';

/** The sender of the studio's pages. Retries are left to the callers. */
export const studio: Sender = { retries: 0 };

/** Like `studio`, for calls that must arrive even when the page is being closed. */
export const parting: Sender = { retries: 0, fetch: (input, init) => fetch(input, { ...init, keepalive: true }) };

/**
 * Binds the calls of this page to an account: when another account has signed in since, the server refuses them.
 * Returns a function that ends the binding.
 */
export function actFor(account: string): () => void {
  studio.account = parting.account = account;
  return () => {
    studio.account = parting.account = undefined;
  };
}
