import { listen, type Listener } from '#lib/db/listen';
import { log } from '#lib/log';

/** Interval of refreshes without a notification, because one can be lost with its connection. */
const LOOK_EVERY_MS = 5_000;

/**
 * Keeps data from the database that this process caches up to date: calls `refresh` now, on each notification of
 * `channel`, and periodically. When a refresh fails, the cached data stay in use and the log names them as `what`.
 */
export async function follow(channel: string, what: string, refresh: () => Promise<unknown>): Promise<Listener> {
  await refresh();
  const again = () =>
    void refresh().catch((error: unknown) =>
      log().warn({ reason: (error as Error).message }, `${what} not read; the last known state stays in use`),
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
