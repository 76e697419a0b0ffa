import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { comeBackUntil, expectAccessible } from '../page-checks.ts';
import { ROOT } from '../process.ts';
import { signUp } from '../session.ts';
import { expect, open, picture, test, tile, tiles } from './history-page.ts';
import { seedHistory } from './seed-history.ts';
import { requestsOf } from './someone.ts';
import { viewer } from './viewer.ts';

test('filters find every kind of result and are kept in the URL', async ({ page, member: { customer } }) => {
  await customer.generate(picture('a fig on a table'));
  await customer.generate();
  await open(page);
  await expect(tile(page, 'a fig on a table').getByText('30 days left')).toBeVisible();
  await expect(tile(page, 'soft rain')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const filters = page.getByRole('search', { name: 'Filter the history' });
  expect((await filters.boundingBox())!.height).toBeLessThan(50);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  // choosing audio clears a model that makes none
  await page.getByRole('combobox', { name: 'Model' }).selectOption('z_image');
  await page.getByRole('radio', { name: 'Audio' }).check();
  await expect(tiles(page)).toHaveCount(1);
  await expect(page).toHaveURL('/history?type=audio');
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('searchbox').fill('FIG table');
  await expect(tiles(page)).toHaveCount(1);
  await expect(page).toHaveURL('/history?q=FIG+table');
  await page.reload();
  await expect(tile(page, 'a fig on a table')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveValue('FIG table');
  await page.getByRole('searchbox').fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  // a filter of a deleted collection is shown as well
  await page.goto(`/history?collection=${randomUUID()}`);
  const collection = page.getByRole('combobox', { name: 'Collection' });
  await expect(collection).toBeVisible();
  // a collapsed filter stays in use
  const more = page.getByRole('button', { name: 'More filters' });
  await more.click();
  await expect(collection).toBeHidden();
  await expect(more).toHaveAccessibleName('More filters, in use');
  await more.click();
  await expect(collection).toBeVisible();
});

test('from tablet to desktop width the filters fill at most two rows and keep their labels', async ({
  page,
  member: { customer },
}) => {
  await customer.generate(picture('a fig on a table'));
  await open(page);
  const filters = page.getByRole('search', { name: 'Filter the history' });
  for (const [width, rows] of [
    [768, 2],
    [834, 2],
    [1024, 2],
    [1279, 2],
    [1280, 1],
    [1440, 1],
    [1920, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => (await filters.boundingBox())!.height, `${width}`).toBeLessThan(rows * 48);
    for (const name of ['Favourites', 'Kept']) {
      const box = await filters.getByText(name, { exact: true }).boundingBox();
      expect(box!.width, `${name} at ${width}`).toBeGreaterThan(20);
    }
  }
});

test('the selected text of each filter is not cut off on a phone', async ({ page, member: { customer } }) => {
  await customer.generate(picture('a fig on a table'));
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await page.getByRole('button', { name: 'Filters' }).click();
  for (const name of ['Model', 'Character or reference', 'State']) {
    const room = await page.getByRole('combobox', { name }).evaluate((select: HTMLSelectElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(select);
      const pen = document.createElement('canvas').getContext('2d')!;
      pen.font = font;
      const words = pen.measureText(select.selectedOptions[0]!.text).width;
      return select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - words;
    });
    expect(room, name).toBeGreaterThan(2);
  }
});

test('on a phone the filter choices are requested only when the filters are opened', async ({ page, member }) => {
  await member.customer.generate(picture('a fig on a table'));
  await page.setViewportSize({ width: 390, height: 844 });
  const asked: string[] = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname));
  const quiet = page.waitForResponse('**/api/account/notices*');
  await open(page);
  // notices are requested when the page is idle, as the choices would be
  await quiet;
  const choices = ['/v1/characters', '/v1/references', '/api/tags', '/api/collections'];
  expect(asked.filter(path => choices.includes(path))).toEqual([]);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect.poll(() => choices.filter(path => !asked.includes(path))).toEqual([]);
});

test('a history that opens with the viewer hydrates its filters without errors when their code loads late', async ({
  page,
  member: { customer },
}) => {
  const { request_id } = await customer.generate(picture('a fig on a table'));
  expect((await customer.api.put(`/v1/requests/${request_id}/tags/evening`)).status()).toBe(200);
  const tags = page.waitForResponse(/\/api\/tags$/);
  const chunks = join(ROOT, '.next/static/chunks');
  const code = readdirSync(chunks).find(
    name => name.endsWith('.js') && readFileSync(join(chunks, name), 'utf8').includes('Filter the history'),
  );
  await page.route(`**/${code}*`, async route => {
    await tags;
    await route.continue();
  });
  await page.goto(`/history?view=${request_id}`);
  await expect(viewer(page).getByRole('button', { name: /evening/ })).toBeVisible();
  // waits for the tags, since closing the viewer would abort their request
  await tags;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('evening');
  await expect(page).toHaveURL('/history?tag=evening');
});

test('a result that newly matches a filter appears at its place in the order', async ({ page, member, house }) => {
  // tall enough for all tiles, even when midnight splits them into more rows
  await page.setViewportSize({ width: 1280, height: 2600 });
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 40);
  await open(page, '/history?favourite=true');
  await expect(tiles(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const later = tiles(page).filter({ has: page.getByText(/, number 20$/) });
  await later.hover();
  const kept = page.waitForResponse('**/favourite');
  await later.getByRole('button', { name: /^Favourite/ }).click();
  await kept;
  await page.getByRole('button', { name: 'Favourites' }).click();
  await expect(tiles(page).getByText(/, number/)).toHaveText([/ 17$/, / 20$/, / 34$/]);
});

test('a filter applied again drops former matches and shows new ones, also with requests in progress', async ({
  page,
  context,
  idle,
}) => {
  const { id, call } = await signUp(context, idle);
  for (const prompt of ['a fig', 'a plum', 'a pear'])
    expect((await call('POST', '/v1/z_image/generate', { prompt })).status()).toBe(202);
  // one request stays live
  await idle.pool.query(
    `update requests set status = 'cancelled', finished_at = now() where account_id = $1 and prompt <> 'a pear'`,
    [id],
  );
  const all = (await requestsOf({ call })).map(({ request_id, prompt }) => ({ request_id, prompt }));
  const fig = all.find(({ prompt }) => prompt === 'a fig')!;
  expect((await call('PUT', `/v1/requests/${fig.request_id}/favourite`)).status()).toBe(200);
  await page.goto(`${idle.baseURL}/history`);
  const favourites = page.getByRole('button', { name: 'Favourites' });
  const names = async (...prompts: string[]) => {
    await expect(tiles(page)).toHaveCount(prompts.length);
    for (const prompt of prompts) await expect(tile(page, prompt)).toBeVisible();
  };
  const heart = async (prompt: string) => {
    const marked = page.waitForResponse('**/favourite');
    await tile(page, prompt).getByRole('link').focus();
    await page.keyboard.press('f');
    await marked;
  };
  await favourites.click();
  await names('a fig');
  await favourites.click();
  await names('a fig', 'a plum', 'a pear');
  await heart('a fig');
  await heart('a plum');
  await favourites.click();
  await names('a plum');
  // a tile in view stays until the filter changes
  await heart('a plum');
  await favourites.click();
  await names('a fig', 'a plum', 'a pear');
  await heart('a pear');
  await favourites.click();
  await names('a pear');

  // a filter that was read before shows requests submitted since
  await favourites.click();
  await page.getByRole('radio', { name: 'Images' }).check();
  await names('a fig', 'a plum', 'a pear');
  await page.getByRole('radio', { name: 'All' }).check();
  expect((await call('POST', '/v1/z_image/generate', { prompt: 'a quince' })).status()).toBe(202);
  await names('a fig', 'a plum', 'a pear', 'a quince');
  await page.getByRole('radio', { name: 'Images' }).check();
  await names('a fig', 'a plum', 'a pear', 'a quince');

  // the filter by state drops a request once it has ended
  await page.getByRole('radio', { name: 'All' }).check();
  await page.getByRole('button', { name: 'More filters' }).click();
  const state = page.getByRole('combobox', { name: 'State' });
  await state.selectOption('In progress');
  await names('a pear', 'a quince');
  await state.selectOption('Any state');
  await names('a fig', 'a plum', 'a pear', 'a quince');
  const quince = (await requestsOf({ call })).find(({ prompt }) => prompt === 'a quince')!;
  expect((await call('POST', `/v1/requests/${quince.request_id}/cancel`)).status()).toBe(200);
  await expect(tile(page, 'a quince')).toContainText('Cancelled');
  await state.selectOption('In progress');
  await names('a pear');
});

test('a request started elsewhere and first seen in a filtered list updates when it ends', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  const create = (prompt: string) => call('POST', '/v1/z_image/generate', { prompt });
  expect((await create('a pear')).status()).toBe(202);
  // after this poll, polls ask only for the known requests for ten seconds
  const lookedForAll = page.waitForResponse(/status=queued/);
  await page.goto(`${idle.baseURL}/history`);
  await lookedForAll;
  const quince = (await (await create('a quince')).json()) as { request_id: string };
  await page.getByRole('radio', { name: 'Images' }).check();
  await expect(tile(page, 'a quince')).toContainText('Queued');
  expect((await call('POST', `/v1/requests/${quince.request_id}/cancel`)).status()).toBe(200);
  await expect(tile(page, 'a quince')).toContainText('Cancelled');
});

test('a request started elsewhere and shown only in the viewer updates when it ends', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  const create = async () => {
    const made = await (await call('POST', '/v1/z_image/generate', { prompt: 'a quince' })).json();
    return (made as { request_id: string }).request_id;
  };
  await create();
  const lookedForAll = page.waitForResponse(/status=queued/);
  await page.goto(`${idle.baseURL}/history?type=video`);
  await lookedForAll;
  const id = await create();
  await page.evaluate(view => history.replaceState(null, '', `/history?type=video&view=${view}`), id);
  await expect(viewer(page)).toContainText('a quince');
  expect((await call('POST', `/v1/requests/${id}/cancel`)).status()).toBe(200);
  await expect(viewer(page)).toContainText('Cancelled');
});

test('the end of a request is reported after its page was left, and the request is not polled again', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  const made = await (await call('POST', '/v1/z_image/generate', { prompt: 'a pear' })).json();
  const { request_id: id } = made as { request_id: string };
  await page.goto(`${idle.baseURL}/history`);
  await tile(page, 'a pear').getByRole('link').click();
  await expect(viewer(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await expect(page).toHaveURL(/\/account$/);
  await idle.pool.query(
    `update requests set status = 'failed', error_message = 'It broke.', finished_at = now(), updated_at = now() where id = $1`,
    [id],
  );
  await expect(page.getByText('It broke.').first()).toBeVisible();
  const asked: string[] = [];
  page.on('request', request => request.url().includes('/v1/requests?') && asked.push(request.url()));
  await comeBackUntil(page, options => expect.poll(() => asked.length, options).toBeGreaterThan(1));
  expect(asked.filter(url => url.includes(id))).toEqual([]);
});
