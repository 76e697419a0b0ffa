import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { expect, test } from './fixtures.ts';

/** Expects axe to find no violations on the page in its current state, in both themes, as their colours differ. */
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  for (const frame of page.frames()) await frame.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // reporting every element of the passed rules too would take twice as long
    const { violations } = await page.evaluate(() => axe.run({ resultTypes: ['violations'] }));
    const flaws = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    expect(flaws, `${where}, ${colorScheme}`).toEqual([]);
  }
}

/** Collects errors of the page, among them violations of its content security policy. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', error => faults.push(String(error)));
  page.on('console', message => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  return faults;
}

/** Opens a page at phone and desktop size, light and dark; expects that it fits and that axe finds no violations. */
export async function expectFineEverywhere(page: Page, path: string): Promise<void> {
  // two page loads and four axe runs, possibly on a busy machine
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

/** Simulates a return to the page from another window, repeatedly until the page shows the change. */
export const comeBackUntil = (page: Page, seen: (options: { timeout: number }) => Promise<void>): Promise<void> =>
  expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await seen({ timeout: 1_000 });
  }).toPass();
