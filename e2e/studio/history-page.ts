import type { Page } from '@playwright/test';
import { expect, test as base } from '../fixtures.ts';
import { openMember, type Member } from '../member.ts';
import { watchFaults } from '../page-checks.ts';

/** Signs in a user with images in the history; errors of the page and its content security policy fail the test. */
export const test = base.extend<{ member: Member }>({
  member: async ({ page, context, house, baseURL }, use) => {
    const faults = watchFaults(page);
    const member = await openMember(house);
    await house.pool.query(`update accounts set name = 'Ana' where id = $1`, [member.accountId]);
    const [name = '', value = ''] = member.cookie.split('=');
    await context.addCookies([{ name, value, url: String(baseURL) }]);
    await use(member);
    expect(faults).toEqual([]);
  },
});

export { expect };

const PICTURE = { architecture: 'z_image', body: { prompt: 'a fig on a table', resolution: '1k' } };
export const picture = (prompt: string, more = {}) => ({ ...PICTURE, body: { ...PICTURE.body, prompt, ...more } });
export const tiles = (page: Page) => page.getByRole('gridcell');
export const tile = (page: Page, prompt: string) => tiles(page).filter({ hasText: prompt });

export async function open(page: Page, path = '/history') {
  await page.goto(path);
  await expect(tiles(page).first()).toBeVisible();
}
