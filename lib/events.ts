/** What webhooks are told of. Pure; the browser uses it too. */
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

/** Sent when an account asks for it; nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test';
/** Every message that a webhook is sent. */
export const MESSAGES = [...EVENTS, TEST_EVENT] as const;
export type Message = (typeof MESSAGES)[number];

/** What an account hears of by itself: in the studio, and by mail where there is a mail server. */
export const NOTICES = ['balance.low', 'media.expiring', 'webhook.failing'] as const;
export type Notice = (typeof NOTICES)[number];

export const CHANNELS = ['studio', 'mail'] as const;
export type Channel = (typeof CHANNELS)[number];
/** One kind of notice on one way, for those that are switched off. */
export type Mute = `${Notice}:${Channel}`;
