/** Replacement for `node:timers/promises`, which ignores fake timers. */
const wait = (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
  new Promise((done, fail) => {
    const timer = setTimeout(done, ms, value);
    signal?.addEventListener('abort', () => (clearTimeout(timer), fail(new Error('aborted'))));
  });

export { wait as setTimeout };
