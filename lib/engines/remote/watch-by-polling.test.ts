import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError } from '#lib/engines/engine';
import { watchByPolling } from '#lib/engines/remote/watch-by-polling';

// those of Node do not follow the clock of a test
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise((done, fail) => {
      const timer = setTimeout(done, ms, value);
      signal?.addEventListener('abort', () => (clearTimeout(timer), fail(new Error('aborted'))));
    }),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const DAY_SECONDS = 86_400;

function rig() {
  const stop = new AbortController();
  const poll = vi.fn<() => Promise<never>>(() =>
    Promise.reject(new EngineError('engine_unavailable', 'busy', true, { retryAfter: DAY_SECONDS })),
  );
  const watched = watchByPolling(poll, { id: '1' }, { signal: stop.signal }, 10).next();
  watched.catch(() => {});
  return { poll, watched, stop };
}

test('a service that wants to be asked tomorrow is asked once more in a minute, and then left', async () => {
  const { poll, watched } = rig();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(poll).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(watched).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(poll).toHaveBeenCalledTimes(2);
});

test('whoever ends a watch leaves no timer of it behind', async () => {
  const { watched, stop } = rig();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(1);
  stop.abort('enough');
  await expect(watched).rejects.toBe('enough');
  expect(vi.getTimerCount()).toBe(0);
});
