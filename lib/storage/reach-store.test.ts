import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StartError } from '#lib/start-error';
import { StoreAway } from '#lib/storage/refusals';
import { reachStore } from '#lib/storage/reach-store';

process.env.LOG_LEVEL = 'silent';
vi.mock('node:timers/promises', () => ({
  setTimeout: vi.fn((ms: number) => Promise.resolve(vi.advanceTimersByTime(ms))),
}));

const away = () => Promise.reject(new StoreAway('connect ECONNREFUSED 10.0.0.7:7070'));

test('a store that is unavailable at the start is waited for, and reported if it does not become available', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const ask = vi
    .fn(away)
    .mockImplementationOnce(away)
    .mockImplementationOnce(() => Promise.resolve('here') as never);
  expect(await reachStore('STORAGE_URL', ask)).toBe('here');
  const begun = Date.now();
  const told = expect(reachStore('STORAGE_URL', away)).rejects;
  await told.toThrow(new StartError('The store of STORAGE_URL cannot be used: connect ECONNREFUSED 10.0.0.7:7070'));
  expect(Date.now() - begun).toBeGreaterThanOrEqual(30_000);
  expect(pause).toHaveBeenCalled();
});

test('an error that waiting cannot fix is reported immediately', async () => {
  const refused = vi.fn(() => Promise.reject(new Error('the object store answered 403')));
  await expect(reachStore('--to', refused)).rejects.toThrow(
    'The store of --to cannot be used: the object store answered 403',
  );
  expect(refused).toHaveBeenCalledTimes(1);
});
