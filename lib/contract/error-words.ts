import type { WireCode } from '#lib/errors';

interface ErrorWords {
  when: string;
  remedy: string;
}

/** What each error code means, and what a client should do. */
export const ERROR_WORDS: Record<WireCode, ErrorWords> = {
  invalid_config: {
    when: 'A field or token of the config is invalid, or a mention is unknown.',
    remedy: 'Correct everything that issues lists. Nothing was charged.',
  },
  invalid_request: {
    when: 'The body, a parameter or a header is invalid.',
    remedy: 'Correct everything that issues lists.',
  },
  unauthorized: {
    when: 'No key was sent, or it is invalid, expired or revoked, or belongs to a disabled account or to another one than Pomona-Account names.',
    remedy: 'Send Authorization: Bearer with a valid key of the right account.',
  },
  insufficient_gems: {
    when: 'The price is above the balance, or above the remaining budget of the key.',
    remedy: 'gems_required is the price. Top up, then submit with a new Idempotency-Key.',
  },
  content_blocked: {
    when: 'The prompt or an input violates the content policy: that of the service (403) or an external one (451).',
    remedy: 'Change the prompt. Nothing was charged.',
  },
  forbidden: {
    when: 'The key lacks the scope that the message names, or the operator disabled this for the account.',
    remedy: 'Use a key with that scope, or ask the operator.',
  },
  sign_in_again: {
    when: 'This needs a recent sign-in, and the session is older.',
    remedy: 'Sign in again in the same browser, then repeat it.',
  },
  quota_exceeded: {
    when: 'The account has reached a quota: bytes, uploads, open tickets, keys, webhooks, or characters and references.',
    remedy: 'Delete what you no longer need. The account page shows each limit.',
  },
  not_found: { when: 'There is nothing at this path.', remedy: 'Compare the path with this reference.' },
  architecture_not_found: { when: 'No architecture has this id.', remedy: 'Take an id from GET /v1/architectures.' },
  request_not_found: {
    when: 'No request of the account has this id.',
    remedy: 'Check the id, and which account the key belongs to.',
  },
  character_not_found: {
    when: 'No character of the account has this id.',
    remedy: 'Check the id; it is not the handle.',
  },
  reference_not_found: {
    when: 'No reference of the account has this id.',
    remedy: 'Check the id; it is not the handle.',
  },
  upload_not_found: { when: 'No upload of the account has this id, or it is gone.', remedy: 'Open a new upload.' },
  webhook_not_found: {
    when: 'No webhook of the account has this id, or no delivery of the webhook.',
    remedy: 'Check the ids; deliveries are kept for 14 days.',
  },
  recipe_not_found: {
    when: 'No recipe has this id, or this deployment cannot make one of its steps.',
    remedy: 'Take an id from GET /v1/recipes.',
  },
  run_not_found: {
    when: 'No run of the account has this id.',
    remedy: 'Check the id, and which account the key belongs to.',
  },
  method_not_allowed: {
    when: 'The path exists, but not with this method.',
    remedy: 'Use a method that the Allow header names.',
  },
  request_finished: {
    when: 'The request has already completed or failed.',
    remedy: 'Read its status; there is nothing to cancel.',
  },
  handle_taken: {
    when: 'An existing character or reference has this handle.',
    remedy: 'Choose another one, or leave it out.',
  },
  price_above_limit: {
    when: 'The price is above Max-Gems.',
    remedy: 'Raise Max-Gems or change the config. Nothing was charged.',
  },
  submission_in_progress: {
    when: 'Another submit with the same Idempotency-Key is still in progress.',
    remedy: 'Send the same request again after Retry-After seconds.',
  },
  webhook_disabled: {
    when: 'The webhook is switched off, by its owner or because it did not answer.',
    remedy: 'Switch it on with PATCH {"enabled": true}.',
  },
  request_live: {
    when: 'A request that is not final yet cannot be deleted or kept.',
    remedy: 'Wait until it is final, or cancel it.',
  },
  run_live: {
    when: 'A run cannot be run again while it is running.',
    remedy: 'Wait until it ends, or cancel it first.',
  },
  run_finished: { when: 'The run has ended already.', remedy: 'Read its status; there is nothing left to do.' },
  architecture_retired: { when: 'The architecture is no longer served.', remedy: 'Choose another from the catalog.' },
  media_expired: {
    when: 'The file was kept for 30 days and has been deleted.',
    remedy: 'Make it again: same config and seed.',
  },
  precondition_failed: {
    when: 'Another file was already sent to this upload, or the file does not match If-Match.',
    remedy: 'Open a new upload for another file; read the file without If-Match.',
  },
  request_too_large: {
    when: 'The body is over 4.5 MB, or an uploaded file over 100 MB.',
    remedy: 'Upload files instead of sending data URLs.',
  },
  range_not_satisfiable: { when: 'The range is outside the file.', remedy: 'Request the file without Range.' },
  too_many_requests: {
    when: 'The account has as many generations in flight as it may (20 by default), or asked for too much else at a time.',
    remedy: 'Wait for Retry-After seconds, or for a generation to finish.',
  },
  rate_limited: {
    when: 'Too many sign-in attempts or wrong keys.',
    remedy: 'Wait for Retry-After seconds.',
  },
  internal_error: {
    when: 'The server made an error.',
    remedy: 'Send the same request again with the same Idempotency-Key; it is charged at most once.',
  },
  out_of_space: {
    when: 'The disk or the memory of the server is full. Nothing was stored, and nothing charged.',
    remedy: 'Wait for Retry-After seconds and send the same request again; the operator must free up space.',
  },
};
