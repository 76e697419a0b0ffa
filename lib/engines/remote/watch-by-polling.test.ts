import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineError, type Snapshot } from '#lib/engines/engine';
import { progressIn, watchByPolling } from '#lib/engines/remote/watch-by-polling';

vi.mock('node:timers/promises', () => import('#lib/engines/test-clock'));

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

test('a service that asks for a day of delay is polled once more after a minute, then the watch fails', async () => {
  const { poll, watched } = rig();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(poll).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(watched).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(poll).toHaveBeenCalledTimes(2);
});

test('a watch continues after occasional failures of the service', async () => {
  const busy = new EngineError('engine_unavailable', 'busy', true);
  const answers = [busy, ...Array.from({ length: 20 }, (): Snapshot => ({ state: 'running' })), busy];
  const poll = async (): Promise<Snapshot> => {
    const answer = answers.shift() ?? { state: 'cancelled' };
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const seen: Snapshot[] = [];
  const watch = async () => {
    const { signal } = new AbortController();
    for await (const snapshot of watchByPolling(poll, { id: '1' }, { signal }, 5_000)) seen.push(snapshot);
  };
  await Promise.all([watch(), vi.advanceTimersByTimeAsync(200_000)]);
  expect(seen.at(-1)).toEqual({ state: 'cancelled' });
});

test('aborting a watch clears its timer', async () => {
  const { watched, stop } = rig();
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(1);
  stop.abort('enough');
  await expect(watched).rejects.toBe('enough');
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['none', null, undefined],
  ['the last of several', ' 45%|████     | 9/20\r 50%|█████    | 10/20', 0.5],
  [
    'nothing of a stage that is over, which may be that of loading',
    'Loading:  50%|██  | 1/2\rLoading: 100%|████| 2/2',
    undefined,
  ],
  ['that of the next stage', 'Loading: 100%|████| 2/2\n  0%|         | 0/20', 0],
])('the progress read from the bars in logs is %s', (_, logs, progress) => {
  expect(progressIn(logs)).toBe(progress);
});
