import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

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
