import type { Locator } from '@playwright/test';
import { expectAccessible } from '../page-checks.ts';
import { promptField } from './create-page.ts';
import { seedHistory } from './seed-history.ts';
import { expect, make, makePicture, requestsOf, test } from './someone.ts';

// shared results and collections, as visitors see them

test('a shared video has controls, sound and a duration', async ({ someone }) => {
  const { page, call } = someone;
  const { request_id } = await make(someone, 'ltx_video', { prompt: 'a river', resolution: '240p' });
  const { url } = await (await call('POST', '/api/shares', { request_id, settings: true })).json();
  await page.goto(url);
  await expect(page.getByText('Preview, drawn without a model')).toBeVisible();
  const film = page.locator('video[aria-label="a river"]');
  await expect(film).toHaveJSProperty('controls', true);
  await expect(film).toHaveJSProperty('muted', false);
  await expect.poll(() => film.evaluate((video: HTMLVideoElement) => video.duration)).toBeGreaterThan(0);
});

test('a shared collection shows each result whole, with controls for videos', async ({ someone }) => {
  const { page, call } = someone;
  const film = await make(someone, 'ltx_video', { prompt: 'a river', resolution: '240p' });
  const picture = await make(someone, 'z_image', { prompt: 'a fig', aspect_ratio: '9:16' });
  const request_ids = [film, picture].map(({ request_id }) => request_id);
  const { id: collection_id } = await (await call('POST', '/api/collections', { name: 'Two', request_ids })).json();
  const { url } = await (await call('POST', '/api/shares', { collection_id, settings: true })).json();
  await page.goto(url);
  await expect(page.locator('video[aria-label="a river"]')).toHaveJSProperty('controls', true);
  const { width, height } = (await page.getByRole('img', { name: 'a fig' }).boundingBox())!;
  expect(width / height).toBeCloseTo(9 / 16, 1);
  // on a phone, each has the width of the page
  await page.setViewportSize({ width: 390, height: 844 });
  const widthOf = async (locator: Locator) => (await locator.boundingBox())!.width;
  const river = page.locator('video[aria-label="a river"]');
  expect(await widthOf(page.getByRole('img', { name: 'a fig' }))).toBe(await widthOf(river));
  await expectAccessible(page);
});

test('a large shared collection is paged, with a link back to its beginning', async ({ someone, house }) => {
  const { page, call } = someone;
  await makePicture(someone, 'a fig');
  await seedHistory(house.pool, someone.id, 70);
  const ids = (await requestsOf(someone, '?limit=200')).map(({ request_id }) => request_id);
  const made = await call('POST', '/api/collections', { name: 'Rows', request_ids: ids });
  const { id: collection_id } = await made.json();
  const { url } = await (await call('POST', '/api/shares', { collection_id, settings: true })).json();
  await page.goto(url);
  const results = page.getByRole('main').getByRole('listitem');
  await expect(results).toHaveCount(60);
  await page.getByRole('link', { name: 'Show more' }).click();
  await expect(results).toHaveCount(11);
  await expect(page.getByRole('heading', { name: 'Rows' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Show more' })).toHaveCount(0);
  // the title of the next part is set after its rows
  await expect(page).toHaveTitle(/Rows/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'From the beginning' }).click();
  await expect(results).toHaveCount(60);
  // a remix reads only its own item
  const read = page.waitForResponse('**/api/shared/**');
  await page.getByRole('link', { name: 'Remix' }).first().click();
  expect((await (await read).json()).items).toHaveLength(1);
  await expect(promptField(page)).toHaveValue(/a fig/);
  await page.getByText('More settings').click();
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('');
});

test('a shared collection of one result shows its name and notes', async ({ someone }) => {
  const { page, call } = someone;
  const { request_id } = await makePicture(someone, 'a fig');
  const shared = { name: 'Orchard', notes: 'Of this autumn', request_ids: [request_id] };
  const { id: collection_id } = await (await call('POST', '/api/collections', shared)).json();
  const { url } = await (await call('POST', '/api/shares', { collection_id, settings: true })).json();
  await page.goto(url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orchard');
  await expect(page.getByText('Of this autumn')).toBeVisible();
  await expect(page.getByText('a fig', { exact: true })).toBeVisible();
  await expectAccessible(page);
});
