import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { env } from '#lib/env';
import { Pace } from '#lib/http/pace';
import { timesReached } from '#lib/limits';

const NAME = 'LIMIT_REFUSALS_PER_ADDRESS';
let pace: Pace;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  Object.assign(env(), { [NAME]: 10 });
  pace = new Pace(NAME, 1_000);
});
afterEach(() => void vi.useRealTimers());

const take = (amount: number, address = 'a') => pace.take(address, amount);

test('the amount of one second is available immediately, more is delayed', () => {
  expect(take(10)).toBe(0);
  const met = timesReached(NAME);
  expect([take(1), take(2)]).toEqual([100, 300]);
  expect(timesReached(NAME)).toBe(met + 2);
});

test('an amount that would be delayed for too long is refused and not counted', () => {
  take(20);
  expect([take(1), take(1)]).toEqual([null, null]);
  vi.advanceTimersByTime(100);
  expect(take(1)).toBe(1_000);
});

test('an idle address regains at most the amount of one second', () => {
  take(10);
  vi.advanceTimersByTime(500);
  expect([take(5), take(1)]).toEqual([0, 100]);
  vi.advanceTimersByTime(60_000);
  expect([take(10), take(1)]).toEqual([0, 100]);
});

test('the rate applies to each address separately', () => {
  expect([take(20), take(10, 'b')]).toEqual([1_000, 0]);
});

test('an idle address is forgotten', () => {
  take(1);
  take(20, 'b');
  vi.advanceTimersByTime(1_500);
  take(1, 'c');
  expect(pace.size).toBe(2);
  vi.advanceTimersByTime(1_500);
  take(1, 'd');
  expect(pace.size).toBe(1);
});

test('an address that is active again does not prevent an idle one from being forgotten', () => {
  take(10);
  take(10, 'b');
  vi.advanceTimersByTime(500);
  take(10);
  vi.advanceTimersByTime(1_400);
  take(1, 'c');
  expect(pace.size).toBe(2);
});
