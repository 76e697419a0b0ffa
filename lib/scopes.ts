/** Scopes of an API key. A key without a list of scopes may do everything. Used by the browser too. */
export const SCOPES = ['generate', 'read', 'cast', 'uploads', 'account'] as const;
export type Scope = (typeof SCOPES)[number];

export const SCOPE_WORDS: Record<Scope, string> = {
  generate: 'Submit, price, cancel and delete requests',
  read: 'Read models, requests, uploads, characters and references',
  cast: 'Save and delete characters and references',
  uploads: 'Send and delete uploads',
  account: 'Read balance and ledger, manage webhooks, which are told of every request',
};

/** Message for a choice of no scope. */
export const NO_SCOPE = 'Choose at least one thing that it may do.';
