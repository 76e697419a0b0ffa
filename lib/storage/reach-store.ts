import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '#lib/errors';
import { log } from '#lib/log';
import { isOutage } from '#lib/outage';
import { StartError } from '#lib/start-error';

const READY_LIMIT = 30_000;
const PAUSE_MS = 500;

/** Asks the store that `setting` names for the first time. One that is out is waited for; throws a `StartError` that says why it cannot be used. */
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
