import { pool } from '#lib/db/client';
import { log } from '#lib/log';
import { queueOf } from '#lib/queue/queues';
import { singleton } from '#lib/singleton';

const doorbell = () => singleton('queue.doorbell', () => ({ ringing: new Set<string>(), again: new Set<string>() }));

/**
 * Wakes the workers of an engine after a submit committed, off the request's path. Submits that come while a notification
 * is under way share the next one. A lost ring costs no more than a worker's polling interval.
 */
export function ringDoorbell(engine: string): void {
  const { ringing, again } = doorbell();
  if (ringing.has(engine)) return void again.add(engine);
  ringing.add(engine);
  void notify(engine).finally(() => {
    ringing.delete(engine);
    if (again.delete(engine)) ringDoorbell(engine);
  });
}

/** The channel that pg-boss listens on for a queue with new jobs in the schema `pgboss`. */
const NOTIFY = {
  name: 'ring_doorbell',
  text: `select pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), $1)`,
} as const;

async function notify(engine: string): Promise<void> {
  try {
    await pool().query({ ...NOTIFY, values: [queueOf(engine)] });
  } catch (error) {
    log().warn({ err: error, engine }, 'workers not woken; they will poll');
  }
}
