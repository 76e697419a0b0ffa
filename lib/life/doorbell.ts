import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Channel notified when an unclaimed request waits for a server. */
export const WAITING_CHANNEL = 'pomona_waiting';
/** Channel notified when an unclaimed request waits for its media to be fetched. */
export const UNFETCHED_CHANNEL = 'pomona_unfetched';

type Channel = typeof WAITING_CHANNEL | typeof UNFETCHED_CHANNEL;

const doorbell = (channel: Channel) => singleton(`life.${channel}`, () => ({ ringing: false, again: false }));

/**
 * Wakes the workers in the background after requests were accepted or given back. Calls during a notification share the
 * next one. If a notification is lost, workers find the requests with their periodic look.
 */
export function ringDoorbell(channel: Channel): void {
  const state = doorbell(channel);
  if (state.ringing) return void (state.again = true);
  state.ringing = true;
  void pool()
    .query({ name: channel, text: `select pg_notify('${channel}', '')` })
    .catch((error: unknown) => log().warn({ err: error }, 'workers not notified; they poll'))
    .finally(() => {
      state.ringing = false;
      if (!state.again) return;
      state.again = false;
      ringDoorbell(channel);
    });
}

/** Returns the channel of the workers that continue an unclaimed request. */
export const channelOf = ({ fetched = true }: { fetched?: boolean | undefined }): Channel =>
  fetched ? WAITING_CHANNEL : UNFETCHED_CHANNEL;

/** Wakes the workers that continue these unclaimed requests. */
export const ringFor = (requests: readonly { fetched: boolean }[]): void => {
  for (const channel of new Set(requests.map(channelOf))) ringDoorbell(channel);
};
