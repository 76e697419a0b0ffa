import type { WireCode } from '#lib/errors';

interface ErrorWords {
  when: string;
  remedy: string;
}

/** What each code means, and what a client does about it. */
export const ERROR_WORDS: Record<WireCode, ErrorWords> = {
  invalid_config: {
    when: 'A field or token of the config is wrong, or a mention does not resolve.',
    remedy: 'Correct what issues names, all of it at once. Nothing was charged.',
  },
  invalid_request: { when: 'The body, a parameter or a header is wrong.', remedy: 'Correct what issues names.' },
  unauthorized: {
    when: 'No key was sent, or it is invalid, expired, revoked or of a disabled account, or of another one than Pomona-Account names.',
    remedy: 'Send Authorization: Bearer with a valid key of the account that is meant.',
  },
  insufficient_gems: {
    when: 'The price is above the balance, or above what is left of the budget of the key.',
    remedy: 'gems_required says the price. Top up, and send again with a new Idempotency-Key.',
  },
  content_blocked: {
    when: 'The prompt or an input is against the content policy: 403 that of the service, 451 one from outside.',
    remedy: 'Change the prompt. Nothing was charged.',
  },
  forbidden: {
    when: 'The key lacks the scope that the message names, or the operator switched this off for the account.',
    remedy: 'Use a key with that scope, or ask the operator.',
  },
  sign_in_again: {
    when: 'The act is for whoever signed in a short while ago, and this session is older.',
    remedy: 'Sign in again in the same browser, then repeat it.',
  },
  quota_exceeded: {
    when: 'The account keeps as much as it may: bytes, uploads, open tickets, keys, webhooks, or characters and references.',
    remedy: 'Delete what is not needed any more. The account page shows each limit.',
  },
  not_found: { when: 'There is nothing at this path.', remedy: 'Compare the path with this reference.' },
  architecture_not_found: { when: 'No architecture has this id.', remedy: 'Take an id from GET /v1/architectures.' },
  request_not_found: { when: 'No request of the account has this id.', remedy: 'Check the id, and whose key it is.' },
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
    when: 'No recipe has this id, or nothing here makes one of its steps.',
    remedy: 'Take an id from GET /v1/recipes.',
  },
  run_not_found: { when: 'No run of the account has this id.', remedy: 'Check the id, and whose key it is.' },
  method_not_allowed: { when: 'The path is there, the method is not.', remedy: 'Use one that the Allow header names.' },
  request_finished: {
    when: 'The request is completed or failed already.',
    remedy: 'Read its status; there is nothing to cancel.',
  },
  handle_taken: {
    when: 'A living character or reference has this handle.',
    remedy: 'Take another one, or leave it out.',
  },
  price_above_limit: {
    when: 'The price is above Max-Gems.',
    remedy: 'Raise Max-Gems or change the config. Nothing was charged.',
  },
  submission_in_progress: {
    when: 'Another submit with the same Idempotency-Key is still open.',
    remedy: 'Send the same again after Retry-After seconds.',
  },
  webhook_disabled: {
    when: 'The webhook is switched off, by its owner or since it did not answer.',
    remedy: 'Switch it on with PATCH {"enabled": true}.',
  },
  request_live: {
    when: 'A request that is not final yet cannot be deleted or kept.',
    remedy: 'Wait until it is final, or cancel it.',
  },
  run_live: { when: 'A run that still runs cannot be run again.', remedy: 'Wait until it ends, or cancel it first.' },
  run_finished: { when: 'The run has ended already.', remedy: 'Read its status; there is nothing left to do.' },
  architecture_retired: { when: 'The architecture is no longer served.', remedy: 'Choose another from the catalog.' },
  media_expired: { when: 'The file was kept for 30 days and is gone.', remedy: 'Make it again: same config and seed.' },
  precondition_failed: {
    when: 'A file was sent to this upload already, or the file to be read is not the one of If-Match.',
    remedy: 'Open a new upload for another file; read the file without If-Match.',
  },
  request_too_large: {
    when: 'The body is over 4.5 MB, or an uploaded file over 100 MB.',
    remedy: 'Send files with an upload instead of a data URL.',
  },
  range_not_satisfiable: { when: 'The range lies outside of the file.', remedy: 'Ask for the file without Range.' },
  too_many_requests: {
    when: 'As many generations are in flight as the account may have, 20 by default, or too much else is asked for at a time.',
    remedy: 'Wait for Retry-After seconds, or for a generation to finish.',
  },
  rate_limited: {
    when: 'Too many tries to sign in or with bad keys.',
    remedy: 'Wait for Retry-After seconds.',
  },
  internal_error: {
    when: 'A fault of the server.',
    remedy: 'Send the same again with the same Idempotency-Key: it is charged once at most.',
  },
  out_of_space: {
    when: 'The disk or the memory of the server is full. Nothing was stored, and nothing charged.',
    remedy: 'Wait for Retry-After seconds and send the same again; the operator has to make room.',
  },
};
