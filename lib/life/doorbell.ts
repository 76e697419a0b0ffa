import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Told when requests wait for a server that nobody holds. */
export const WAITING_CHANNEL = 'pomona_waiting';
/** Told when requests wait for their media. */
export const UNFETCHED_CHANNEL = 'pomona_unfetched';

type Channel = typeof WAITING_CHANNEL | typeof UNFETCHED_CHANNEL;

const doorbell = (channel: Channel) => singleton(`life.${channel}`, () => ({ ringing: false, again: false }));

/**
 * Wakes the workers after requests were accepted or given back, off the request's path. Rings that come while a notification is
 * under way share the next one. A lost ring costs no more than a worker's own look from time to time.
 */
export function ringDoorbell(channel: Channel): void {
  const state = doorbell(channel);
  if (state.ringing) return void (state.again = true);
  state.ringing = true;
  void pool()
    .query({ name: channel, text: `select pg_notify('${channel}', '')` })
    .catch((error: unknown) => log().warn({ err: error }, 'workers not woken; they will look'))
    .finally(() => {
      state.ringing = false;
      if (!state.again) return;
      state.again = false;
      ringDoorbell(channel);
    });
}

/** Who goes on with a request that nobody holds. */
export const channelOf = ({ fetched = true }: { fetched?: boolean | undefined }): Channel =>
  fetched ? WAITING_CHANNEL : UNFETCHED_CHANNEL;

/** Wakes whoever goes on with requests that nobody holds any more. */
export const ringFor = (requests: readonly { fetched: boolean }[]): void => {
  for (const channel of new Set(requests.map(channelOf))) ringDoorbell(channel);
};
