import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** axe finds nothing on the page as it stands, in either theme: the colours are other ones. */
export async function expectAccessible(page: Page, where = page.url()): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // in the page itself, for no frame here is another's: axe would open a page of its own for each look, which takes as long again
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const flaws = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
    expect(flaws, `${where}, ${colorScheme}`).toEqual([]);
  }
}
