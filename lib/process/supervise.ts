import { setTimeout as pause } from 'node:timers/promises';
import { log } from '#lib/log';
import { orAborted } from '#lib/process/or-aborted';

/** Something that runs beside this process. */
export interface Running {
  /** Settles when it is gone, whoever ended it. */
  ended: Promise<unknown>;
  /** Ends it and waits for that. */
  stop(): Promise<void>;
}

const LONGEST_PAUSE = 15_000;
/** Whoever lives this long starts again at once. */
const HEALTHY_AFTER = 30_000;

/** Starts something and starts it again, with growing pauses, whenever it ends. Only the first start may throw. */
export async function supervise(name: string, start: () => Promise<Running>): Promise<Pick<Running, 'stop'>> {
  const stopped = new AbortController();
  let current: Running | undefined = await start();

  const watch = async () => {
    let wait = 0;
    while (!stopped.signal.aborted) {
      const begun = Date.now();
      await orAborted(Promise.resolve(current?.ended), stopped.signal).catch(() => {});
      if (stopped.signal.aborted) return;
      wait = Date.now() - begun > HEALTHY_AFTER ? 0 : Math.min(wait * 2 || 250, LONGEST_PAUSE);
      log().error({ name, wait }, `${name} ended; starting it again`);
      await pause(wait, undefined, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) return;
      current = await start().catch(error => {
        log().error({ name, err: error }, `${name} does not start`);
        return undefined;
      });
    }
  };
  const watching = watch();

  return {
    async stop() {
      stopped.abort();
      await current?.stop();
      await watching;
      // a start that was under way has come through meanwhile
      await current?.stop();
    },
  };
}
