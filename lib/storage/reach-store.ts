import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '#lib/errors';
import { log } from '#lib/log';
import { isOutage } from '#lib/outage';
import { StartError } from '#lib/start-error';

const READY_LIMIT = 30_000;
const PAUSE_MS = 500;

/** Makes the first request to the store of `setting`; retries while it is down. Throws a `StartError` otherwise. */
export async function reachStore<T>(setting: string, ask: () => Promise<T>): Promise<T> {
  const begun = Date.now();
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (cause) {
      if (cause instanceof StartError) throw cause;
      const reason = messageOf(cause);
      if (!isOutage(cause) || Date.now() - begun > READY_LIMIT)
        throw new StartError(`The store of ${setting} cannot be used: ${reason}`, { cause });
      if (tries === 1) log().info({ setting, reason }, 'waiting for the store');
      await pause(PAUSE_MS);
    }
  }
}
