import { log } from '#lib/log';

/** Without a sign that there is something to do, one looks this often. */
const LOOK_EVERY_MS = 2_000;

export interface Loop {
  /** There may be something to do: look now. */
  wake(): void;
  /** Looks no more. */
  stop(): Promise<void>;
}

/** Looks for work again and again: at once while there was some, else when it is woken or a while has passed. */
export function keepLooking(what: string, look: () => Promise<boolean>): Loop {
  let woken = Promise.withResolvers<void>();
  let stopped = false;
  const running = run();
  return {
    wake: () => woken.resolve(),
    async stop() {
      stopped = true;
      woken.resolve();
      await running;
    },
  };

  async function run(): Promise<void> {
    while (!stopped) {
      woken = Promise.withResolvers();
      const more = await look().catch((error: unknown) => {
        log().warn({ err: error, what }, 'looking for work failed');
        return false;
      });
      if (more) continue;
      const timer = setTimeout(woken.resolve, LOOK_EVERY_MS);
      await woken.promise;
      clearTimeout(timer);
    }
  }
}
