import { AppError, type ErrorCode } from '#lib/errors';
import { singleton } from '#lib/singleton';

interface Limit {
  /** What the limit applies to: each account, each network address, or a web process as a whole. */
  of: 'account' | 'address' | 'process';
  /** Value when the setting is not set. */
  fallback: number;
  unit: 'bytes' | 'seconds' | null;
  /** Seconds of the window in which the limit counts; null when the limit is how many there may be at a time. */
  window: number | null;
  about: string;
  /** Error code with which anything beyond the limit is refused; null when it is handled as `about` says instead. */
  error: ErrorCode | null;
}

const HOUR = 3_600;

/** Every limit that keeps one user from exhausting shared resources, by the name of the setting that changes it. */
export const LIMITS = {
  LIMIT_STORED_BYTES: {
    of: 'account',
    fallback: 20_000_000_000,
    unit: 'bytes',
    window: null,
    about:
      'Bytes that an account stores: uploads, inputs, characters, references, and kept results with their smaller forms. Other results do not count.',
    error: 'quota_exceeded',
  },
  LIMIT_UPLOADS: {
    of: 'account',
    fallback: 2_000,
    unit: null,
    window: null,
    about: 'Uploads that an account stores, including open tickets.',
    error: 'quota_exceeded',
  },
  LIMIT_TICKETS: {
    of: 'account',
    fallback: 1_000,
    unit: null,
    window: HOUR / 4,
    about: 'Upload tickets of an account per quarter of an hour.',
    error: 'too_many_requests',
  },
  LIMIT_KEYS: {
    of: 'account',
    fallback: 100,
    unit: null,
    window: null,
    about: 'API keys of an account that are neither revoked nor expired.',
    error: 'quota_exceeded',
  },
  LIMIT_WEBHOOKS: {
    of: 'account',
    fallback: 20,
    unit: null,
    window: null,
    about: 'Webhooks of an account.',
    error: 'quota_exceeded',
  },
  LIMIT_WEBHOOK_SENDS: {
    of: 'account',
    fallback: 100,
    unit: null,
    window: HOUR / 4,
    about: 'Webhook test messages and manual resends of an account per quarter of an hour.',
    error: 'too_many_requests',
  },
  LIMIT_CAST: {
    of: 'account',
    fallback: 1_000,
    unit: null,
    window: null,
    about: 'Characters and references of an account.',
    error: 'quota_exceeded',
  },
  LIMIT_COLLECTIONS: {
    of: 'account',
    fallback: 500,
    unit: null,
    window: null,
    about: 'Collections of an account.',
    error: 'quota_exceeded',
  },
  LIMIT_SHARES: {
    of: 'account',
    fallback: 500,
    unit: null,
    window: null,
    about: 'Pages that an account shares.',
    error: 'quota_exceeded',
  },
  LIMIT_PRESETS: {
    of: 'account',
    fallback: 500,
    unit: null,
    window: null,
    about: 'Presets and styles of an account.',
    error: 'quota_exceeded',
  },
  LIMIT_POLLS_PER_ACCOUNT: {
    of: 'account',
    fallback: 100,
    unit: null,
    window: null,
    about: 'Status polls of an account that wait at a time; more are answered at once with the current state.',
    error: null,
  },
  LIMIT_READS_PER_ACCOUNT: {
    of: 'account',
    fallback: 4,
    unit: null,
    window: null,
    about:
      'Lists, pages and downloads of an account at a time, or of an address without a session, each kind counted for itself. More wait.',
    error: null,
  },
  LIMIT_UPLOADS_PER_ACCOUNT: {
    of: 'account',
    fallback: 16,
    unit: null,
    window: null,
    about: 'Incoming files of an account at a time. More wait.',
    error: null,
  },
  LIMIT_DECODES_PER_ACCOUNT: {
    of: 'account',
    fallback: 2,
    unit: null,
    window: null,
    about:
      'Files of an account that a process decodes at a time, for each kind in LIMIT_DECODES; never more than all processors but one. More wait.',
    error: null,
  },
  LIMIT_FETCHES_PER_ACCOUNT: {
    of: 'account',
    fallback: 4,
    unit: null,
    window: null,
    about:
      'Files of an account that a process fetches from other servers at a time, and as many that it looks up in the bucket for lists. More wait.',
    error: null,
  },
  LIMIT_WAITING_PER_ACCOUNT: {
    of: 'account',
    fallback: 40,
    unit: null,
    window: null,
    about: 'Files of an account that wait to be decoded or fetched while a client waits for them.',
    error: 'too_many_requests',
  },
  LIMIT_PASSWORDS: {
    of: 'account',
    fallback: 10,
    unit: null,
    window: HOUR / 4,
    about: 'Wrong passwords for one account per quarter of an hour, from one address or one known device.',
    error: 'rate_limited',
  },
  LIMIT_PASSWORDS_PER_ACCOUNT: {
    of: 'account',
    fallback: 100,
    unit: null,
    window: HOUR,
    about:
      'Wrong passwords for one account per hour, from all addresses, and as many from known devices, which can still sign in.',
    error: 'rate_limited',
  },
  LIMIT_PASSWORDS_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: HOUR / 4,
    about: 'Wrong passwords and passkeys from one address per quarter of an hour, for any account.',
    error: 'rate_limited',
  },
  LIMIT_CODES: {
    of: 'account',
    fallback: 10,
    unit: null,
    window: HOUR / 4,
    about: 'Wrong second-step codes for one account per quarter of an hour, after the right password.',
    error: 'rate_limited',
  },
  LIMIT_SIGN_UPS_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: HOUR,
    about: 'Sign-up attempts from one address per hour.',
    error: 'rate_limited',
  },
  LIMIT_RESETS_PER_ACCOUNT: {
    of: 'account',
    fallback: 3,
    unit: null,
    window: HOUR,
    about:
      'Mails to one address per hour for a new password, a new account or a changed address, each kind counted for itself.',
    error: 'rate_limited',
  },
  LIMIT_MAILS_PER_ACCOUNT: {
    of: 'account',
    fallback: 30,
    unit: null,
    window: HOUR,
    about: 'Mails of one kind to one address per hour; more are not sent.',
    error: null,
  },
  LIMIT_RESETS_PER_ADDRESS: {
    of: 'address',
    fallback: 30,
    unit: null,
    window: HOUR,
    about: 'Password reset requests and attempts to use reset links, from one address per hour.',
    error: 'rate_limited',
  },
  LIMIT_TOP_UPS: {
    of: 'account',
    fallback: 20,
    unit: null,
    window: HOUR,
    about: 'Top-ups that an account starts per hour, not counting automatic ones.',
    error: 'too_many_requests',
  },
  LIMIT_EXPORTS: {
    of: 'account',
    fallback: 5,
    unit: null,
    window: HOUR,
    about: 'Exports of all data of an account per hour.',
    error: 'too_many_requests',
  },
  LIMIT_BAD_KEYS_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: 300,
    about: 'Wrong API keys from one address in five minutes; valid ones are still accepted.',
    error: 'rate_limited',
  },
  LIMIT_APPS_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: HOUR,
    about: 'App registrations and authorization requests from one address per hour.',
    error: 'rate_limited',
  },
  LIMIT_PAGES_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: 10,
    about: 'Pages, parts of pages and API descriptions for one address without a session in ten seconds.',
    error: 'too_many_requests',
  },
  LIMIT_REFUSALS_PER_ADDRESS: {
    of: 'address',
    fallback: 500,
    unit: null,
    window: 1,
    about:
      'Sustained rate of refusals to one address per second. More are delayed; if the delay would exceed ten seconds, the connection is closed.',
    error: null,
  },
  LIMIT_BODY_BYTES_PER_ADDRESS: {
    of: 'address',
    fallback: 25_000_000,
    unit: 'bytes',
    window: 1,
    about:
      'Sustained rate of request bodies from one address in bytes per second, without files. More are read later; if that would take more than half of LIMIT_BODY_SECONDS, they are refused.',
    error: 'too_many_requests',
  },
  LIMIT_SOCKETS_PER_ADDRESS: {
    of: 'address',
    fallback: 1_000,
    unit: null,
    window: null,
    about: 'Open connections from one address; more are closed. Applies only when TRUST_PROXY is 0.',
    error: null,
  },
  LIMIT_SOCKETS: {
    of: 'process',
    fallback: 8_192,
    unit: null,
    window: null,
    about: 'Open connections; for each one more, the connection that has been idle longest is closed.',
    error: null,
  },
  LIMIT_POLLS: {
    of: 'process',
    fallback: 5_000,
    unit: null,
    window: null,
    about: 'Status polls that wait at a time; more are answered at once with the current state.',
    error: null,
  },
  LIMIT_DECODES: {
    of: 'process',
    fallback: 4,
    unit: null,
    window: null,
    about:
      'Images and sounds decoded at a time, and as many whole videos, and twice as many files read piece by piece, each in its own process. More wait.',
    error: null,
  },
  LIMIT_DECODER_BYTES: {
    of: 'process',
    fallback: 500_000_000,
    unit: 'bytes',
    window: null,
    about: 'Memory of a process that decodes a file; files that need more are decoded one at a time.',
    error: null,
  },
  LIMIT_LARGE_DECODER_BYTES: {
    of: 'process',
    fallback: 2_000_000_000,
    unit: 'bytes',
    window: null,
    about:
      'Memory of the one process for files that need more than LIMIT_DECODER_BYTES, and of the classifier; a file that needs more still is refused.',
    error: null,
  },
  LIMIT_FETCHES: {
    of: 'process',
    fallback: 64,
    unit: null,
    window: null,
    about: 'Files fetched from other servers at a time; more wait.',
    error: null,
  },
  LIMIT_WAITING: {
    of: 'process',
    fallback: 128,
    unit: null,
    window: null,
    about: 'Files that wait to be decoded or fetched while a client waits for them.',
    error: 'too_many_requests',
  },
  LIMIT_HEADER_SECONDS: {
    of: 'process',
    fallback: 10,
    unit: 'seconds',
    window: null,
    about: 'Seconds in which the headers of a request must arrive; otherwise the connection is closed.',
    error: null,
  },
  LIMIT_BODY_SECONDS: {
    of: 'process',
    fallback: 60,
    unit: 'seconds',
    window: null,
    about: 'Seconds in which the body of a request must arrive; files may take the 15 minutes of their ticket.',
    error: null,
  },
} as const satisfies Record<`LIMIT_${string}`, Limit>;

export type LimitName = keyof typeof LIMITS;

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

/** Name of the counter of how often limits were reached, labelled with the setting. */
export const LIMIT_METRIC = 'pomona_limit_reached_total';

const reached = () => singleton('limits.reached', () => new Map<LimitName, number>());

/** Counts that a limit was reached. */
export const noteLimit = (name: LimitName): void => void reached().set(name, timesReached(name) + 1);

/** Returns how often a limit was reached in this process. */
export const timesReached = (name: LimitName): number => reached().get(name) ?? 0;

/** Counts that a limit was reached and returns the error to refuse with. */
export function overLimit(name: LimitName, message: string, options?: { retryAfter: number }): AppError {
  noteLimit(name);
  return new AppError(LIMITS[name].error ?? 'rate_limited', message, {}, options);
}
