import type { Notice } from '#lib/events';

/** Data of each kind of notice; webhooks get the same data. */
export interface NoticeData {
  'balance.low': { balance: number; threshold: number };
  'media.expiring': { count: number; first_expires_at: string; expires_before: string; request_ids: string[] };
  /** `switched_off`: disabled after a 410 (`gone`) or days of failures; null: only a message was given up. */
  'webhook.failing': { webhook_id: string; url: string; switched_off: 'gone' | 'failing' | null };
}

interface NoticeWords {
  title: string;
  text: string;
  /** Path of the studio page where the user can act on the notice. */
  href: string;
}

const number = (value: number): string => value.toLocaleString('en');
const day = (at: string): string =>
  new Date(at).toLocaleDateString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

const WORDS: { [K in Notice]: (data: NoticeData[K]) => NoticeWords } = {
  'balance.low': ({ balance, threshold }) => ({
    title: `${number(balance)} gems left`,
    text: `Your balance fell below ${number(threshold)} gems. Top up, or switch on auto top-up, so that nothing is refused.`,
    href: '/account/gems',
  }),
  'media.expiring': ({ count, first_expires_at, expires_before }) => ({
    title: count === 1 ? 'One result expires soon' : `${number(count)} results expire soon`,
    text:
      count === 1
        ? `It is deleted on ${day(first_expires_at)}. Download or keep it if you still want it.`
        : `They are deleted from ${day(first_expires_at)} on, by ${day(expires_before)}. Download or keep what you still want.`,
    href: '/history?expiring=true',
  }),
  'webhook.failing': ({ webhook_id, url, switched_off }) => ({
    title: switched_off ? 'A webhook was switched off' : 'A webhook does not answer',
    text: `${new URL(url).host} ${FAILURES[switched_off ?? 'silent']}`,
    href: `/account/webhooks/${webhook_id}`,
  }),
};

const FAILURES = {
  gone: 'answered 410 Gone, so nothing is sent there any more. Switch it on again when it is back.',
  failing: 'accepted no message for five days, so nothing is sent there any more. Switch it on again when it is back.',
  silent: 'accepted no message for a day, so one was given up. Its deliveries show what it answered.',
};

/** Returns the wording of a notice, for the studio and for mails. */
export const noticeWords = ({ kind, data }: { kind: Notice; data: object }): NoticeWords =>
  // `raiseNotice` stores kind and data together, so they match
  WORDS[kind](data as never);
