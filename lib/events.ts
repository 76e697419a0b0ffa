/** Events that webhooks can subscribe to. Used by the browser too. */
export const EVENTS = [
  'request.completed',
  'request.failed',
  'request.cancelled',
  'balance.low',
  'media.expiring',
  'architecture.retired',
] as const;
export type Event = (typeof EVENTS)[number];

export const EVENT_WORDS: Record<Event, string> = {
  'request.completed': 'A request was completed',
  'request.failed': 'A request failed and was refunded',
  'request.cancelled': 'A request was cancelled',
  'balance.low': 'A charge took the balance below the threshold of the account',
  'media.expiring': 'Results expire within a week; sent at most once a week',
  'architecture.retired': 'A model was retired',
};

/** Event sent when an account asks for a test; webhooks cannot subscribe to it. */
export const TEST_EVENT = 'webhook.test';
/** Types of all messages sent to webhooks. */
export const MESSAGES = [...EVENTS, TEST_EVENT] as const;
export type Message = (typeof MESSAGES)[number];

/** Notices that every account receives: in the studio, and by mail if a mail server is configured. */
export const NOTICES = ['balance.low', 'media.expiring', 'webhook.failing'] as const;
export type Notice = (typeof NOTICES)[number];

export const CHANNELS = ['studio', 'mail'] as const;
export type Channel = (typeof CHANNELS)[number];
/** A kind of notice that an account has switched off on one channel. */
export type Mute = `${Notice}:${Channel}`;
