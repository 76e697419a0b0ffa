import { afterEach, expect, test, vi } from 'vitest';
import { awaitForms } from '#lib/client/await-forms';

afterEach(() => vi.useRealTimers());

const picture = (url: string, renditions?: []) => ({ url, renditions });

test('a list is refetched while renditions are pending, for a few seconds at most', () => {
  vi.useFakeTimers();
  expect(awaitForms(undefined)).toBe(false);
  expect(awaitForms([picture('/made'), { url: '/heard', peaks: [100] }])).toBe(2_000);
  expect(awaitForms([picture('/made', []), { url: '/heard', peaks: [100] }])).toBe(false);
  vi.advanceTimersByTime(7_000);
  expect(awaitForms([picture('/made')])).toBe(false);
  expect(awaitForms([picture('/made'), picture('/new')])).toBe(2_000);
});
