import { AppError, type ErrorCode } from '#lib/errors';
import { singleton } from '#lib/singleton';

interface Limit {
  /** What has this much: each account, each network address, or a web process as a whole. */
  of: 'account' | 'address' | 'process';
  /** Where the setting is not set. */
  fallback: number;
  unit: 'bytes' | 'seconds' | null;
  /** Seconds in which that many are taken; null where it is how many there may be at a time. */
  window: number | null;
  about: string;
  /** What goes past it is refused with this code; null: it is not refused but ends as `about` says. */
  error: ErrorCode | null;
}

const HOUR = 3_600;

/** Every limit that keeps one from taking what is there for all. The name is the setting that changes it. */
export const LIMITS = {
  LIMIT_STORED_BYTES: {
    of: 'account',
    fallback: 20_000_000_000,
    unit: 'bytes',
    window: null,
    about:
      'Bytes that an account keeps: uploads, inputs, characters, references, and kept results with their smaller forms. Other results do not count.',
    error: 'quota_exceeded',
  },
  LIMIT_UPLOADS: {
    of: 'account',
    fallback: 2_000,
    unit: null,
    window: null,
    about: 'Uploads that an account keeps, open tickets counted.',
    error: 'quota_exceeded',
  },
  LIMIT_TICKETS: {
    of: 'account',
    fallback: 1_000,
    unit: null,
    window: HOUR / 4,
    about: 'Upload tickets that an account takes in a quarter of an hour.',
    error: 'too_many_requests',
  },
  LIMIT_KEYS: {
    of: 'account',
    fallback: 100,
    unit: null,
    window: null,
    about: 'API keys of an account that are neither revoked nor over.',
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
    about: 'Test messages to webhooks, and messages sent again, that an account asks for in a quarter of an hour.',
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
    about: 'Status polls of an account that wait at a time; more are answered at once with the state as it is.',
    error: null,
  },
  LIMIT_READS_PER_ACCOUNT: {
    of: 'account',
    fallback: 4,
    unit: null,
    window: null,
    about:
      'Lists, pages and downloads that an account is given at a time, and files that it sends, each kind for itself, or an address without a session; more wait.',
    error: null,
  },
  LIMIT_DECODES_PER_ACCOUNT: {
    of: 'account',
    fallback: 2,
    unit: null,
    window: null,
    about:
      'Files of an account that a process decodes at a time, of each kind that LIMIT_DECODES tells apart, and one less than there are processors at most; more wait.',
    error: null,
  },
  LIMIT_FETCHES_PER_ACCOUNT: {
    of: 'account',
    fallback: 4,
    unit: null,
    window: null,
    about:
      'Files of an account that a process fetches from other servers at a time, and as many that it looks for in the bucket to list them; more wait.',
    error: null,
  },
  LIMIT_WAITING_PER_ACCOUNT: {
    of: 'account',
    fallback: 24,
    unit: null,
    window: null,
    about: 'Files of an account that wait to be decoded, or to be fetched, while their clients do.',
    error: 'too_many_requests',
  },
  LIMIT_PASSWORDS: {
    of: 'account',
    fallback: 10,
    unit: null,
    window: HOUR / 4,
    about: 'Wrong passwords in a quarter of an hour for one account, from one address or one device that it knows.',
    error: 'rate_limited',
  },
  LIMIT_PASSWORDS_PER_ACCOUNT: {
    of: 'account',
    fallback: 100,
    unit: null,
    window: HOUR,
    about: 'Wrong passwords in an hour for one account from everywhere; devices that it knows still get in.',
    error: 'rate_limited',
  },
  LIMIT_PASSWORDS_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: HOUR / 4,
    about: 'Wrong passwords and passkeys in a quarter of an hour from one address, whatever the account.',
    error: 'rate_limited',
  },
  LIMIT_CODES: {
    of: 'account',
    fallback: 10,
    unit: null,
    window: HOUR / 4,
    about: 'Wrong codes of the second step in a quarter of an hour for one account, after the right password.',
    error: 'rate_limited',
  },
  LIMIT_SIGN_UPS_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: HOUR,
    about: 'Attempts to sign up in an hour from one address.',
    error: 'rate_limited',
  },
  LIMIT_RESETS_PER_ACCOUNT: {
    of: 'account',
    fallback: 3,
    unit: null,
    window: HOUR,
    about:
      'Mails for a new password, a new account or another address in an hour to one address, each kind for itself.',
    error: 'rate_limited',
  },
  LIMIT_MAILS_PER_ACCOUNT: {
    of: 'account',
    fallback: 30,
    unit: null,
    window: HOUR,
    about: 'Mails of one kind in an hour to one address; more are not sent.',
    error: null,
  },
  LIMIT_RESETS_PER_ADDRESS: {
    of: 'address',
    fallback: 30,
    unit: null,
    window: HOUR,
    about: 'Asks for a new password, and tries of reset links, in an hour from one address.',
    error: 'rate_limited',
  },
  LIMIT_TOP_UPS: {
    of: 'account',
    fallback: 20,
    unit: null,
    window: HOUR,
    about: 'Top-ups that an account begins in an hour, automatic ones not counted.',
    error: 'too_many_requests',
  },
  LIMIT_EXPORTS: {
    of: 'account',
    fallback: 5,
    unit: null,
    window: HOUR,
    about: 'Downloads of all that an account has in an hour.',
    error: 'too_many_requests',
  },
  LIMIT_BAD_KEYS_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: 300,
    about: 'Wrong API keys in five minutes from one address; right ones are served all the same.',
    error: 'rate_limited',
  },
  LIMIT_APPS_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: HOUR,
    about: 'Times in an hour that apps register, or ask to be let in, from one address.',
    error: 'rate_limited',
  },
  LIMIT_PAGES_PER_ADDRESS: {
    of: 'address',
    fallback: 100,
    unit: null,
    window: 10,
    about: 'Pages, parts of pages and descriptions of the API in ten seconds from one address without a session.',
    error: 'too_many_requests',
  },
  LIMIT_REFUSALS_PER_ADDRESS: {
    of: 'address',
    fallback: 500,
    unit: null,
    window: 1,
    about:
      'Refusals in a second to one address, for long; more are answered later, or hung up on where that is ten seconds.',
    error: null,
  },
  LIMIT_BODY_BYTES_PER_ADDRESS: {
    of: 'address',
    fallback: 25_000_000,
    unit: 'bytes',
    window: 1,
    about:
      'Bytes of request bodies in a second from one address, for long, files not counted; more are read later, or refused where that is half of LIMIT_BODY_SECONDS.',
    error: 'too_many_requests',
  },
  LIMIT_SOCKETS_PER_ADDRESS: {
    of: 'address',
    fallback: 1_000,
    unit: null,
    window: null,
    about: 'Open connections from one address; more are closed. Proxies that TRUST_PROXY counts have no such limit.',
    error: null,
  },
  LIMIT_SOCKETS: {
    of: 'process',
    fallback: 8_192,
    unit: null,
    window: null,
    about: 'Open connections; for one more, the one is closed that has carried no request for longest.',
    error: null,
  },
  LIMIT_POLLS: {
    of: 'process',
    fallback: 5_000,
    unit: null,
    window: null,
    about: 'Status polls that wait at a time; more are answered at once with the state as it is.',
    error: null,
  },
  LIMIT_DECODES: {
    of: 'process',
    fallback: 4,
    unit: null,
    window: null,
    about:
      'Pictures and sounds that are decoded at a time, and as many whole films, and twice as many files that are read piece by piece, each in a process of its own; more wait.',
    error: null,
  },
  LIMIT_DECODER_BYTES: {
    of: 'process',
    fallback: 500_000_000,
    unit: 'bytes',
    window: null,
    about: 'Memory of a process that decodes a file; what needs more is decoded one at a time.',
    error: null,
  },
  LIMIT_LARGE_DECODER_BYTES: {
    of: 'process',
    fallback: 2_000_000_000,
    unit: 'bytes',
    window: null,
    about:
      'Memory of the one process that decodes what needs more, and of the classifier; a file for which it is not enough is refused.',
    error: null,
  },
  LIMIT_FETCHES: {
    of: 'process',
    fallback: 64,
    unit: null,
    window: null,
    about: 'Files that are fetched from other servers at a time; more wait.',
    error: null,
  },
  LIMIT_WAITING: {
    of: 'process',
    fallback: 64,
    unit: null,
    window: null,
    about: 'Files that wait to be decoded, or to be fetched, while their clients do.',
    error: 'too_many_requests',
  },
  LIMIT_HEADER_SECONDS: {
    of: 'process',
    fallback: 10,
    unit: 'seconds',
    window: null,
    about: 'Seconds for the head of a request to arrive; then the connection is closed.',
    error: null,
  },
  LIMIT_BODY_SECONDS: {
    of: 'process',
    fallback: 60,
    unit: 'seconds',
    window: null,
    about: 'Seconds for the body of a request to arrive; files may take the 15 minutes of their ticket.',
    error: null,
  },
} as const satisfies Record<`LIMIT_${string}`, Limit>;

export type LimitName = keyof typeof LIMITS;

export const LIMIT_NAMES = Object.keys(LIMITS) as LimitName[];

/** The counter of how often they were met, labelled with the setting. */
export const LIMIT_METRIC = 'pomona_limit_reached_total';

const reached = () => singleton('limits.reached', () => new Map<LimitName, number>());

/** Notes that a limit was met. */
export const noteLimit = (name: LimitName): void => void reached().set(name, timesReached(name) + 1);

/** How often a limit was met in this process. */
export const timesReached = (name: LimitName): number => reached().get(name) ?? 0;

/** The refusal of what goes past a limit. */
export function overLimit(name: LimitName, message: string, options?: { retryAfter: number }): AppError {
  noteLimit(name);
  return new AppError(LIMITS[name].error ?? 'rate_limited', message, {}, options);
}
