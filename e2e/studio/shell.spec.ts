import { randomUUID } from 'node:crypto';
import { expectAccessible } from '../accessible.ts';
import { openCreate } from './create-page.ts';
import { expect, test } from './someone.ts';

// what every page of the studio has around it

test('the keyboard: a palette that finds pages, models and acts, a sheet of shortcuts, letters that lead', async ({
  someone: { page },
}) => {
  await page.goto('/characters');
  await expect(page.getByRole('heading', { name: 'Nobody is in the cast yet' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Find' });
  await expect(palette.getByRole('option', { name: 'Mango' })).toBeAttached();
  await expectAccessible(page);
  await page.keyboard.type('new ref');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/references?new');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/references');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await expect(page).toHaveURL('/uploads');
  // letters belong to fields and dialogs
  await page.goto('/characters?new');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('g u?');
  await expect(page.getByLabel('Name')).toHaveValue('g u?');
  await expect(page).toHaveURL('/characters?new');
});

test('whoever is not signed in is sent to sign in, and back', async ({ page }) => {
  await page.goto('/characters?new');
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fcharacters/);
});

test('what is not there says so inside the studio', async ({ someone: { page } }) => {
  for (const path of ['/characters', '/collections', '/history']) {
    const answer = await page.goto(`${path}/${randomUUID()}`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Nothing grows here.' })).toBeVisible();
    await expectAccessible(page);
  }
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'Your history is empty' })).toBeVisible();
});

test('the studio can be installed', async ({ page, request }) => {
  await page.goto('/docs');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await (await request.get(String(address))).json();
  expect(manifest).toMatchObject({ name: 'Pomona', start_url: '/create', display: 'standalone' });
  for (const { src, sizes } of manifest.icons) {
    const bytes = await (await request.get(src)).body();
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
});

test.describe('on a desk', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('the account menu lies over the page', async ({ someone: { page } }) => {
    await openCreate(page, '/create/mango');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'API keys' }).click();
    await expect(page).toHaveURL('/account/api');
  });
});
