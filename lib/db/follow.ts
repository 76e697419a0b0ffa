import { listen, type Listener } from '#lib/db/listen';
import { log } from '#lib/log';

/** A notification can be lost with its connection. */
const LOOK_EVERY_MS = 5_000;

/**
 * Keeps something up to date that this process knows from the database: `refresh` reads it now, whenever `channel` is told that
 * it changed, and from time to time. `what` says in the log what could not be read; what was known holds then.
 */
export async function follow(channel: string, what: string, refresh: () => Promise<unknown>): Promise<Listener> {
  await refresh();
  const again = () =>
    void refresh().catch((error: unknown) =>
      log().warn({ reason: (error as Error).message }, `${what} not read; what was known holds`),
    );
  const listener = listen(channel, again);
  const timer = setInterval(again, LOOK_EVERY_MS).unref();
  return {
    async close() {
      clearInterval(timer);
      await listener.close();
    },
  };
}
