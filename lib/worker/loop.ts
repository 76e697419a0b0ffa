import { log } from '#lib/log';

/** Interval at which a loop looks for work when it is not woken, in milliseconds. */
const LOOK_EVERY_MS = 2_000;

export interface Loop {
  /** Makes the loop look for work immediately. */
  wake(): void;
  /** Stops looking for work; resolves when work in progress has ended. */
  stop(): Promise<void>;
}

/** Calls `look` repeatedly: immediately while it returns true, otherwise when woken or after an interval. */
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

/** Works on up to `places` items concurrently and takes another whenever one ends. */
export function keepWorking<T>(
  what: string,
  places: number,
  take: (room: number) => Promise<T[]>,
  work: (one: T) => Promise<void>,
): Loop {
  const running = new Set<Promise<void>>();
  const loop = keepLooking(what, look);
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      await Promise.all(running);
    },
  };

  async function look(): Promise<boolean> {
    const room = places - running.size;
    const taken = room > 0 ? await take(room) : [];
    for (const one of taken) begin(one);
    return taken.length > 0;
  }

  function begin(one: T): void {
    const working = work(one)
      .catch((error: unknown) => log().warn({ err: error, what }, 'work failed'))
      .finally(() => {
        running.delete(working);
        loop.wake();
      });
    running.add(working);
  }
}
