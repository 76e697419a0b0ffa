import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect, test } from './fixtures.ts';

/** axe finds nothing on the page as it stands, in either theme: the colours are other ones. */
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  for (const frame of page.frames()) await frame.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // of the rules that hold it would tell each element that was looked at, which takes as long again
    const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }));
    const flaws = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    expect(flaws, `${where}, ${colorScheme}`).toEqual([]);
  }
}

/** Collects what the page and its content policy complain about. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  return faults;
}

/** Opens a page at phone and desk size, light and dark: it fits, and axe finds nothing. */
export async function expectFineEverywhere(page: Page, path: string): Promise<void> {
  // twice the page and four times axe, on a busy machine
  test.setTimeout(120_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(path);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over, `${path} is wider than a window of ${width}`).toBeLessThanOrEqual(0);
    await expectAccessible(page, `${path} at ${width}`);
  }
}

/** Comes back to a page as from another window, until it has seen what changed meanwhile. */
export const comeBackUntil = (page: Page, seen: (options: { timeout: number }) => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await seen({ timeout: 1_000 });
  }).toPass();
