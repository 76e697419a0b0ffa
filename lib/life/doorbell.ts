import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { singleton } from '#lib/singleton';

/** Told when requests wait that nobody holds. */
export const WAITING_CHANNEL = 'pomona_waiting';

const doorbell = () => singleton('life.doorbell', () => ({ ringing: false, again: false }));

const NOTIFY = { name: 'ring_doorbell', text: `select pg_notify('${WAITING_CHANNEL}', '')` } as const;

/**
 * Wakes the workers after requests were accepted or given back, off the request's path. Rings that come while a notification is
 * under way share the next one. A lost ring costs no more than a worker's own look from time to time.
 */
export function ringDoorbell(): void {
  const state = doorbell();
  if (state.ringing) return void (state.again = true);
  state.ringing = true;
  void pool()
    .query(NOTIFY)
    .catch((error: unknown) => log().warn({ err: error }, 'workers not woken; they will look'))
    .finally(() => {
      state.ringing = false;
      if (!state.again) return;
      state.again = false;
      ringDoorbell();
    });
}
