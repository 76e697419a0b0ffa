import { setTimeout as pause } from 'node:timers/promises';
import { log } from '#lib/log';
import { orAborted } from '#lib/process/or-aborted';

/** A running child process or service. */
export interface Running {
  /** Settles when it has ended, for whatever reason. */
  ended: Promise<unknown>;
  /** Stops it and waits until it has ended. */
  stop(): Promise<void>;
}

const LONGEST_PAUSE = 15_000;
/** Run time after which a restart follows without a pause. */
const HEALTHY_AFTER = 30_000;

/** Starts a process and restarts it with increasing back-off whenever it ends. Rejects when the first start fails. */
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
      // a restart that was in progress may have finished meanwhile
      await current?.stop();
    },
  };
}
