import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test as base } from '../fixtures.ts';
import { openMember, type Member } from '../member.ts';
import { expectAccessible, watchFaults } from '../page-checks.ts';
import { ROOT } from '../process.ts';
import { signUp } from '../session.ts';
import { createButton, openCreate, promptField } from './create-page.ts';
import { hold, holdAnswer, loseAnswers } from './network.ts';
import { seedHistory } from './seed-history.ts';
import { requestsOf, untilItListens } from './someone.ts';
import { viewer } from './viewer.ts';

/** Somebody signed in with pictures of their own; faults of the page and of its content policy fail the test. */
const test = base.extend<{ member: Member }>({
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

const PICTURE = { architecture: 'z_image', body: { prompt: 'a fig on a table', resolution: '1k' } };
const picture = (prompt: string, more = {}) => ({ ...PICTURE, body: { ...PICTURE.body, prompt, ...more } });
const tiles = (page: Page) => page.getByRole('gridcell');
const tile = (page: Page, prompt: string) => tiles(page).filter({ hasText: prompt });

async function open(page: Page, path = '/history') {
  await page.goto(path);
  await expect(tiles(page).first()).toBeVisible();
}

test('an empty history says what to do next', async ({ page, member }) => {
  void member;
  await page.goto('/history');
  await expect(page.getByRole('heading', { name: 'Your history is empty' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Create something' }).click();
  await expect(page).toHaveURL(/\/create/);
});

test('every kind of result is found by filters that stand in the address', async ({ page, member: { customer } }) => {
  await customer.generate(picture('a fig on a table'));
  await customer.generate();
  await open(page);
  await expect(tile(page, 'a fig on a table').getByText('30 days left')).toBeVisible();
  await expect(tile(page, 'soft rain')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const filters = page.getByRole('search', { name: 'Narrow the history' });
  expect((await filters.boundingBox())!.height).toBeLessThan(50);
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
  await expect(page.getByRole('heading', { name: 'Nothing here fits' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  // of a model that makes no audio there would be nothing
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
  await expect(page.getByRole('heading', { name: 'Nothing here fits' })).toBeVisible();
  // one that is gone is seen, too
  await page.goto(`/history?collection=${randomUUID()}`);
  const collection = page.getByRole('combobox', { name: 'Collection' });
  await expect(collection).toBeVisible();
  // folded away, it is not forgotten
  const more = page.getByRole('button', { name: 'More filters' });
  await more.click();
  await expect(collection).toBeHidden();
  await expect(more).toHaveAccessibleName('More filters, in use');
  await more.click();
  await expect(collection).toBeVisible();
});

test('from a tablet to a desk the filters stand in even rows, each with its name', async ({
  page,
  member: { customer },
}) => {
  await customer.generate(picture('a fig on a table'));
  await open(page);
  const filters = page.getByRole('search', { name: 'Narrow the history' });
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

test('on a phone what a filter offers is whole', async ({ page, member: { customer } }) => {
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

test('on a phone what is chosen from is asked for when the filters are unfolded', async ({ page, member }) => {
  await member.customer.generate(picture('a fig on a table'));
  await page.setViewportSize({ width: 390, height: 844 });
  const asked: string[] = [];
  page.on('request', request => asked.push(new URL(request.url()).pathname));
  const quiet = page.waitForResponse(/\/v1\/requests\?expiring=true/);
  await open(page);
  // comes in the same quiet moment
  await quiet;
  const choices = ['/v1/characters', '/v1/references', '/api/tags', '/api/collections'];
  expect(asked.filter(path => choices.includes(path))).toEqual([]);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect.poll(() => choices.filter(path => !asked.includes(path))).toEqual([]);
});

test('a page that opens with the viewer draws its filters as the server did, however late their code is', async ({
  page,
  member: { customer },
}) => {
  const { request_id } = await customer.generate(picture('a fig on a table'));
  expect((await customer.api.put(`/v1/requests/${request_id}/tags/evening`)).status()).toBe(200);
  const tags = page.waitForResponse(/\/api\/tags$/);
  const chunks = join(ROOT, '.next/static/chunks');
  const code = readdirSync(chunks).find(
    name => name.endsWith('.js') && readFileSync(join(chunks, name), 'utf8').includes('Narrow the history'),
  );
  await page.route(`**/${code}*`, async route => {
    await tags;
    await route.continue();
  });
  await page.goto(`/history?view=${request_id}`);
  await expect(viewer(page).getByRole('button', { name: /evening/ })).toBeVisible();
  // what nobody waits for any more is not asked for
  await tags;
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'Tag' }).selectOption('evening');
  await expect(page).toHaveURL('/history?tag=evening');
});

test('the viewer shows, zooms, walks, copies and leads back to the form', async ({
  page,
  context,
  member: { customer },
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await customer.generate(picture('the older one', { seed: 7 }));
  await customer.generate(picture('the newer one'));
  await open(page);
  await tile(page, 'the newer one').getByRole('link').click();
  await expect(viewer(page).getByRole('img', { name: 'the newer one' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page).getByText('the older one')).toBeVisible();
  await expect(viewer(page).getByText('7', { exact: true })).toBeVisible();
  await viewer(page).getByRole('application').focus();
  await page.keyboard.press('1');
  await expect(viewer(page).getByText('100 %')).toBeVisible();
  const shown = await viewer(page).getByRole('img', { name: 'the older one' }).boundingBox();
  expect(Math.round(shown?.height ?? 0)).toBe(1120);
  await page.keyboard.press('+');
  await expect(viewer(page).getByText('140 %')).toBeVisible();
  await page.keyboard.press('0');
  await viewer(page).getByRole('button', { name: 'Copy prompt' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('the older one');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(tile(page, 'the older one').getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await viewer(page).getByRole('link', { name: 'Same seed' }).click();
  await expect(page).toHaveURL(/\/create\/z_image/);
  await expect(promptField(page)).toHaveValue('the older one');
});

test('on a phone the viewer has the picture, the prompt and the acts used most in one window, and all others in a menu', async ({
  page,
  member: { customer },
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const [, newer] = [
    await customer.generate(picture('the older one')),
    await customer.generate(picture('the newer one')),
  ];
  await open(page);
  await tile(page, 'the newer one').getByRole('link').click();
  const looks = [
    { place: viewer(page), leave: () => page.goto(`/history/${newer.request_id}`) },
    { place: page.getByRole('main'), leave: () => open(page) },
  ];
  for (const { place, leave } of looks) {
    const prompt = place.getByRole('region', { name: 'Prompt' });
    await expect(prompt).toBeInViewport({ ratio: 1 });
    const first = ['Use settings', 'Edit', 'Favourite', 'Share', 'Download', 'More'];
    for (const name of first) {
      const act = place.getByRole('link', { name, exact: true }).or(place.getByRole('button', { name, exact: true }));
      // on a page of its own the bar of the studio stands at the foot
      await act.scrollIntoViewIfNeeded();
      await expect(act).toHaveCount(1);
      const [box, words] = [await act.boundingBox(), await prompt.boundingBox()];
      expect(box!.y, name).toBeGreaterThanOrEqual(words!.y + words!.height);
      expect(Math.min(box!.width, box!.height), name).toBeGreaterThanOrEqual(44);
    }
    await expect(place.getByRole('button', { name: 'Vary' })).toBeHidden();
    await place.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitem')).toContainText([
      'Vary',
      'Same seed',
      'Animate',
      'Use as reference',
      'Upscale',
    ]);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await leave();
  }
  await tile(page, 'the newer one').getByRole('link').click();
  await viewer(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('the older one');
});

test('on a phone what can be done with a selection has its name: the usual beside each other, the rest in a menu', async ({
  page,
  member: { customer },
}) => {
  for (const prompt of ['one fig', 'two figs']) await customer.generate(picture(prompt));
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  const bar = page.getByRole('toolbar', { name: 'Selected results' });
  const named = (name: string) => bar.getByText(name, { exact: true }).locator('visible=true');
  await expect(named('Favourite')).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await bar.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'Compare' })).toContainText('Select 2 to 6 results');
  await page.keyboard.press('Escape');
  await bar.getByRole('button', { name: 'Select all loaded' }).click();
  await expect(bar.getByText('2 selected')).toBeVisible();
  const names = ['Favourite', 'Collect', 'Download', 'Delete', 'More'];
  const boxes = await Promise.all(
    names.map(async name => (await bar.getByRole('button', { name, exact: true }).boundingBox())!),
  );
  expect(new Set(boxes.map(({ y }) => Math.round(y))).size).toBe(1);
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem')).toContainText(['Keep', 'Use in…', 'Tag', 'Compare']);
  await page.getByRole('menuitem', { name: 'Compare' }).click();
  await expect(page.getByRole('dialog', { name: 'Compare' }).getByRole('img', { name: 'two figs' })).toBeVisible();
});

test('a clip in the gallery plays while it is pointed at and at its button, which leaves the mark of a selection free', async ({
  page,
  member: { customer },
}) => {
  await customer.generate({ architecture: 'ltx_video', body: { prompt: 'a river', resolution: '240p' } });
  await open(page);
  const isPaused = () =>
    tile(page, 'a river')
      .locator('video')
      .evaluate((video: HTMLVideoElement) => video.paused);
  await tile(page, 'a river').hover();
  await expect.poll(isPaused).toBe(false);
  await tile(page, 'a river').getByRole('button', { name: 'Pause' }).click();
  await expect.poll(isPaused).toBe(true);
  await tile(page, 'a river').getByRole('checkbox').click();
  await expect(tile(page, 'a river')).toHaveAttribute('aria-selected', 'true');
});

test('by keyboard alone: select, mark, download with sidecars, compare, delete', async ({
  page,
  member: { customer },
}) => {
  for (const prompt of ['one fig', 'two figs', 'three figs']) await customer.generate(picture(prompt));
  await open(page);
  await tile(page, 'three figs').getByRole('link').focus();
  await page.keyboard.press('f');
  await expect(tile(page, 'three figs').getByRole('button', { name: 'Favourite' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  // one, and with Shift all up to another; large letters are the same
  for (const key of ['x', 'ArrowRight', 'ArrowRight', 'Shift+X']) await page.keyboard.press(key);
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('3 selected')).toBeHidden();
  await tile(page, 'three figs').getByRole('link').focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.getByText('2 selected')).toBeVisible();
  await expect(tile(page, 'two figs')).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).press('Enter'),
  ]);
  const path = await download.path();
  const bytes = readFileSync(path);
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  // the directory at the end names every file once more than its own header does
  const names = bytes.toString('latin1').match(/\d{4}-[\w -]+ [0-9a-f]{8}\.(png|json)/g) ?? [];
  const ends = [...new Set(names)].map(name => name.split('.').at(-1));
  expect(ends.toSorted()).toEqual(['json', 'json', 'png', 'png']);
  rmSync(path);

  await page.getByRole('button', { name: 'Compare' }).press('Enter');
  const compared = page.getByRole('dialog', { name: 'Compare' });
  await expect(compared.getByRole('img', { name: 'two figs' })).toBeVisible();
  await expect(compared.getByRole('rowheader', { name: 'seed' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Compare' })).toBeFocused();
  await page.getByRole('button', { name: 'Clear the selection' }).press('Enter');
  await expect(tile(page, 'two figs').getByRole('link')).toBeFocused();
  await page.getByRole('button', { name: 'Select', exact: true }).press('Enter');
  await expect(tile(page, 'two figs').getByRole('link')).toBeFocused();
  await page.keyboard.press('Shift+ArrowLeft');

  await tile(page, 'two figs').getByRole('link').focus();
  const left = async () => (await customer.list('?removed=false')).data.map(({ prompt }) => prompt);
  await page.keyboard.press('Delete');
  const asked = page.getByRole('dialog', { name: 'Delete 2 results?' });
  await expect(asked).toContainText('1 of them is a favourite or kept.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(asked).toBeHidden();
  await expect(tile(page, 'two figs').getByRole('link')).toBeFocused();
  await page.keyboard.press('Delete');
  await asked.getByRole('button', { name: 'Delete 2' }).press('Enter');
  await expect(tiles(page)).toHaveCount(1);
  await expect(tile(page, 'one fig').getByRole('link')).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(tiles(page)).toHaveCount(3);
  expect(await left()).toHaveLength(3);
  await tile(page, 'two figs').getByRole('link').focus();
  await page.keyboard.press('Delete');
  await asked.getByRole('button', { name: 'Delete 2' }).press('Enter');
  await expect(tiles(page)).toHaveCount(1);
  // whoever leaves the page does not wait for the ten seconds
  await page.reload();
  await expect.poll(left).toEqual(['one fig']);
});

test('a range begins at the result that was chosen last, also when work has come before it, and anew after a clear', async ({
  page,
  member: { customer },
}) => {
  for (const prompt of ['one fig', 'two figs', 'three figs']) await customer.generate(picture(prompt));
  await open(page);
  const choose = (prompt: string, modifiers: 'Shift'[] = []) =>
    page.getByLabel(`Select: ${prompt}`).click({ modifiers, force: true });
  await choose('two figs');
  await customer.generate(picture('four figs'));
  await expect(tile(page, 'four figs')).toBeVisible({ timeout: 40_000 });
  await choose('one fig', ['Shift']);
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the selection' }).click();
  await choose('four figs', ['Shift']);
  await expect(page.getByText('1 selected')).toBeVisible();
});

test('one step back leads to the page before, whatever was looked at meanwhile', async ({
  page,
  member: { customer },
}) => {
  for (const prompt of ['one fig', 'two figs']) await customer.generate(picture(prompt));
  await page.goto('/uploads');
  await page.getByRole('link', { name: 'History' }).first().click();
  const close = viewer(page).getByRole('button', { name: 'Close' });
  const ways = [
    () => page.keyboard.press('Escape'),
    // pressed twice before anything has come of it
    () => close.evaluate((button: HTMLElement) => [button.click(), button.click()]),
    async () => {
      await page.reload();
      await close.click();
    },
  ];
  for (const leave of ways) {
    await tile(page, 'two figs').getByRole('link').click();
    await expect(viewer(page)).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(viewer(page).getByRole('img', { name: 'one fig' })).toBeVisible();
    await leave();
    await expect(viewer(page)).toBeHidden();
    await expect(page).toHaveURL('/history');
  }
  await page.goBack();
  await expect(page).toHaveURL('/uploads');
});

test('Tab reaches one clip of the gallery, and what is on it, then leaves', async ({ page, member, house }) => {
  await member.customer.generate({ architecture: 'ltx_video', body: { prompt: 'a river', resolution: '240p' } });
  await seedHistory(house.pool, member.accountId, 5);
  await open(page);
  await tiles(page).first().getByRole('link').focus();
  const reached = [];
  for (let step = 0; step < 4; step++) {
    await page.keyboard.press('Tab');
    reached.push(await tiles(page).evaluateAll(all => all.findIndex(one => one.contains(document.activeElement))));
  }
  expect(reached).toEqual([0, 0, 0, -1]);
});

test('in the viewer the rest of the list, which did not come, is asked for again at its end', async ({
  page,
  house,
  member,
}) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 60);
  const error = { code: 'internal_error', message: 'Something went wrong here.' };
  await page.route('**/v1/requests?*cursor=*', route => route.fulfill({ status: 500, json: { error } }));
  await open(page);
  await expect(page.getByText('The rest did not load.')).toBeAttached({ timeout: 30_000 });
  await page.locator('[data-tile="0"]').focus();
  await page.keyboard.press('End');
  await expect(page.locator('[data-tile="47"]')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(viewer(page)).toBeVisible();
  const link = viewer(page).getByRole('link', { name: 'Open as a page' });
  const last = String(await link.getAttribute('href'));
  const older = viewer(page).getByRole('button', { name: 'Older' });
  await expect(older).toBeEnabled();
  await page.unroute('**/v1/requests?*cursor=*');
  await expect(async () => {
    await older.click();
    expect(await link.getAttribute('href')).not.toBe(last);
  }).toPass();
});

test('keys go on from the tile one was at, or from its neighbour, whatever was closed or removed', async ({
  page,
  house,
  member,
}) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 120);
  await open(page);
  const at = (place: number) => page.locator(`[data-tile="${place}"]`);
  const opens = (place: number) => at(place).getAttribute('data-opens');
  await at(0).focus();
  await page.keyboard.press('ArrowRight');
  await expect(at(1)).toBeFocused();
  const [gone, neighbour] = [await opens(1), await opens(2)];
  await page.keyboard.press('Delete');
  await expect(page.locator(`[data-opens="${gone}"]`)).toHaveCount(0);
  await expect(at(1)).toBeFocused();
  expect(await opens(1)).toBe(neighbour);
  await page.keyboard.press('ArrowRight');
  await expect(at(2)).toBeFocused();

  // far from what is in sight
  await page.keyboard.press('Enter');
  await expect(viewer(page)).toBeVisible();
  const link = viewer(page).getByRole('link', { name: 'Open as a page' });
  let shown = String(await link.getAttribute('href'));
  for (let step = 0; step < 45; step++) {
    await page.keyboard.press('ArrowRight');
    await expect(link).not.toHaveAttribute('href', shown);
    shown = String(await link.getAttribute('href'));
  }
  const id = shown.split('/').at(-1);
  const viewed = page.locator(`[data-opens="${id}"]`);
  await page.keyboard.press('Escape');
  await expect(viewed).toBeFocused();
  await expect(viewed).toBeInViewport();
  const place = Number(await viewed.getAttribute('data-tile'));
  expect(place).toBeGreaterThan(30);
  await page.keyboard.press('ArrowLeft');
  await expect(at(place - 1)).toBeFocused();

  // what is pressed goes with what was selected
  await page.keyboard.press('Shift+ArrowRight');
  const stays = await opens(place + 1);
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Delete 2' }).press('Enter');
  await expect(page.locator(`[data-opens="${stays}"]`)).toBeFocused();
});

test('what is deleted elsewhere goes without a reload', async ({ page, member: { customer } }) => {
  for (const prompt of ['one fig', 'two figs']) await customer.generate(picture(prompt));
  const newest = await customer.generate(picture('three figs'));
  await open(page);
  await expect(tiles(page)).toHaveCount(3);
  expect((await customer.api.delete(`/v1/requests/${newest.request_id}`)).status()).toBe(204);
  await expect(tile(page, 'three figs')).toBeHidden({ timeout: 40_000 });
  await expect(tiles(page)).toHaveCount(2);
});

test('the viewer says so when what it shows was deleted in another window', async ({ page, member: { customer } }) => {
  const { request_id } = await customer.generate(picture('a fig'));
  await page.goto(`/history?view=${request_id}`);
  await expect(viewer(page).getByRole('img', { name: 'a fig' })).toBeVisible();
  expect((await customer.api.delete(`/v1/requests/${request_id}`)).status()).toBe(204);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(viewer(page).getByText('This result was deleted')).toBeVisible();
  await expect(viewer(page).getByRole('link', { name: 'Open its settings' })).toBeVisible();
  await viewer(page).getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL('/history');
});

test('what is deleted elsewhere does not keep the rest of a selection out of a collection, and goes from the list', async ({
  page,
  member: { customer },
}) => {
  const gone = await customer.generate(picture('one fig'));
  for (const prompt of ['two figs', 'three figs']) await customer.generate(picture(prompt));
  await open(page, '/history?type=image');
  await expect(tiles(page)).toHaveCount(3);
  expect((await customer.api.delete(`/v1/requests/${gone.request_id}`)).status()).toBe(204);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  const bar = page.getByRole('toolbar', { name: 'Selected results' });
  await bar.getByRole('button', { name: 'Select all loaded' }).click();
  await bar.getByRole('button', { name: 'Collect', exact: true }).click();
  await page.getByLabel('Name of a new collection').fill('Figs');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('In “Figs”', { exact: true })).toBeVisible();
  await expect(tiles(page)).toHaveCount(2);
});

test('what is deleted elsewhere brings nothing twice when the rest of the list comes', async ({
  page,
  house,
  member,
}) => {
  const { customer, accountId } = member;
  const { request_id } = await customer.generate(picture('a fig'));
  await seedHistory(house.pool, accountId, 60);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  const [, second, third] = (await customer.list('')).data;
  for (const id of [request_id, second!.request_id, third!.request_id])
    expect((await customer.api.delete(`/v1/requests/${id}`)).status()).toBe(204);
  await expect(page.locator(`[data-opens="${third!.request_id}"]`)).toHaveCount(0, { timeout: 40_000 });
  await page.locator('[data-tile="0"]').focus();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.locator('[data-tile="57"]')).toBeFocused({ timeout: 500 });
  }).toPass();
  await expect(page.locator('[data-tile="58"]')).toHaveCount(0);
});

test('Delete held down deletes one, and what is deleted one by one is had back together', async ({
  page,
  member: { customer },
}) => {
  for (const n of [1, 2, 3, 4, 5, 6]) await customer.generate(picture(`fig ${n}`));
  await open(page);
  await tile(page, 'fig 6').getByRole('link').focus();
  for (let n = 0; n < 4; n++) await page.keyboard.down('Delete');
  await page.keyboard.up('Delete');
  await expect(tiles(page)).toHaveCount(5);
  for (let n = 4; n > 0; n--) {
    await page.keyboard.press('Delete');
    await expect(tiles(page)).toHaveCount(n);
  }
  await expect(page.getByText('5 deleted', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(tiles(page)).toHaveCount(6);
  expect((await customer.list('?removed=false')).data).toHaveLength(6);
});

test('from the viewer a deletion is taken back by Ctrl Z, and Escape closes the viewer alone', async ({
  page,
  member: { customer },
}) => {
  for (const n of [1, 2, 3]) await customer.generate(picture(`fig ${n}`));
  await open(page);
  await tile(page, 'fig 3').getByRole('link').click();
  await viewer(page).getByRole('button', { name: 'Delete' }).click();
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('fig 2');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(tiles(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(tiles(page)).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
  expect((await customer.list('?removed=false')).data).toHaveLength(3);
});

test('in the viewer F marks a favourite and Delete deletes, except where letters are written', async ({
  page,
  member: { customer },
}) => {
  for (const n of [1, 2]) await customer.generate(picture(`fig ${n}`));
  await open(page);
  await tile(page, 'fig 2').getByRole('link').click();
  const favourite = viewer(page).getByRole('button', { name: 'Favourite' });
  await expect(favourite).toBeVisible();
  await page.keyboard.press('f');
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  await viewer(page).getByLabel('Add a tag').pressSequentially('fig');
  await viewer(page).getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('dialog', { name: 'Share' })).toBeVisible();
  for (const key of ['f', 'Delete', 'Escape']) await page.keyboard.press(key);
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Delete');
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('fig 1');
  await page.keyboard.press('Escape');
  await expect(tiles(page)).toHaveCount(1);
});

test('what is varied from the viewer says that it was sent, and what it cost', async ({
  page,
  member: { customer },
}) => {
  const { billing } = await customer.generate(picture('a fig on a table'));
  await open(page);
  await tile(page, 'a fig on a table').getByRole('link').click();
  await viewer(page).getByRole('button', { name: 'Vary' }).click();
  await expect(page.getByText(`For at most ${billing.gems_charged} gems.`).first()).toBeVisible();
  await expect.poll(async () => (await customer.list()).data.length).toBe(2);
});

test('what begins elsewhere appears, grows and is done without a reload', async ({ page, member: { customer } }) => {
  await customer.generate(picture('first'));
  await open(page);
  const { request_id } = await customer.submit(picture('from elsewhere'));
  await expect(tile(page, 'from elsewhere')).toBeVisible({ timeout: 40_000 });
  await customer.finish({ request_id });
  await expect(tile(page, 'from elsewhere').getByText('30 days left')).toBeVisible({ timeout: 40_000 });
});

test('a result has a page of its own, whatever became of it, and only for its owner', async ({
  page,
  house,
  member,
}) => {
  const { customer } = member;
  const { request_id } = await customer.generate(picture('kept for a while'));
  // as what was kept later has it; how long it took stays
  await house.pool.query(`update requests set updated_at = finished_at + interval '1 day' where id = $1`, [request_id]);
  await page.goto(`/history/${request_id}`);
  await expect(page).toHaveTitle(/kept for a while/);
  await expect(page.getByText(/, in [\d.]+\ss$/)).toBeVisible();
  await expect(page.getByRole('img', { name: 'kept for a while' })).toBeVisible();
  await expectAccessible(page);
  await house.pool.query(
    `update requests set result = jsonb_set(result, '{expiresAt}', '"2026-01-01T00:00:00.000Z"') where id = $1`,
    [request_id],
  );
  await page.reload();
  await expect(page.getByText(/The file expired on/)).toBeVisible();
  await house.pool.query(
    `update requests set status = 'failed', result = null, refunded = true, error_message = 'The engine failed.' where id = $1`,
    [request_id],
  );
  await page.reload();
  await expect(page.getByText(/gems were refunded/)).toBeVisible();
  await house.pool.query(
    `update requests set status = 'cancelled', refunded = false, error_message = null where id = $1`,
    [request_id],
  );
  await page.reload();
  await expect(page.getByText(/This was cancelled/)).toBeVisible();
  const other = await (await house.open()).submit();
  expect((await page.goto(`/history/${other.request_id}`))?.status()).toBe(404);
});

test('a file that did not load is gone only when its address says so; else it comes when the connection is back', async ({
  page,
  house,
  member: { customer },
}) => {
  const kept = await customer.generate(picture('kept for a while'));
  const gone = await customer.generate(picture('gone since'));
  await house.pool.query(`update media set deleted_at = now(), expires_at = now() where request_id = $1`, [
    gone.request_id,
  ]);
  let isDown = true;
  let alive = Promise.withResolvers<void>();
  await page.route('**/media/**', async route => {
    // an error of before the page answers would be nobody's
    await alive.promise;
    await (isDown ? route.abort() : route.continue());
  });
  const lost = (place: Locator) => place.getByText('Did not load');
  const width = (place: Locator) =>
    place.getByRole('img', { name: 'kept for a while' }).evaluate((img: HTMLImageElement) => img.naturalWidth);
  await page.goto('/history', { waitUntil: 'commit' });
  await untilItListens(page.getByRole('button', { name: 'More filters' }));
  alive.resolve();
  await expect(lost(page.locator('body'))).toHaveCount(2);
  await expectAccessible(page);
  isDown = false;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(tile(page, 'gone since')).toContainText('No longer kept');
  await expect.poll(() => width(tile(page, 'kept for a while'))).toBeGreaterThan(0);
  await expect(lost(page.locator('body'))).toHaveCount(0);

  isDown = true;
  alive = Promise.withResolvers<void>();
  const main = page.getByRole('main');
  await page.goto(`/history/${kept.request_id}`, { waitUntil: 'commit' });
  await expect(async () => {
    await main.getByRole('button', { name: 'Zoom in' }).click();
    await expect(main.getByRole('button', { name: 'Zoom out' })).toBeEnabled({ timeout: 1_000 });
  }).toPass();
  alive.resolve();
  const again = main.getByRole('button', { name: 'Try again' });
  await expect(lost(main)).toBeVisible();
  isDown = false;
  await again.click();
  await expect.poll(() => width(main)).toBeGreaterThan(0);
  await page.goto(`/history/${gone.request_id}`);
  await expect(main).toContainText('The file is gone.');
});

test('ten thousand results: the rows in sight are drawn and no more, to the last one', async ({
  page,
  house,
  member,
}) => {
  await member.customer.generate(picture('one of many'));
  await seedHistory(house.pool, member.accountId, 10_000);
  await open(page);
  await page.getByRole('searchbox').fill('number 10000');
  await expect(tile(page, 'number 10000')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  // this one does not fit the search: with it, the whole list is back, and what is focused now stays
  await expect(tile(page, 'number 2').first()).toBeVisible();
  await tiles(page).first().getByRole('link').focus();
  // End leads to the end of what is loaded, and loads what comes after
  const focused = page.locator('[data-tile]:focus');
  await expect
    .poll(
      async () => {
        await page.keyboard.press('End');
        return Number(await focused.getAttribute('data-tile'));
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(500);
  expect(await tiles(page).count()).toBeLessThan(120);
});

test('with letters twice as large captions are whole, and no picture covers them', async ({ page, house, member }) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 30);
  await open(page);
  await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(() =>
        page.evaluate(() => {
          const boxes = (selector: string) =>
            [...document.querySelectorAll(`[role=gridcell] ${selector}`)].map(one => one.getBoundingClientRect());
          const [links, words, times] = [boxes('a'), boxes('a p:first-child'), boxes('time')];
          const { scrollWidth } = document.documentElement;
          const areWhole = links.every(
            ({ bottom, right }, index) =>
              words[index]!.bottom <= times[index]!.top &&
              times[index]!.bottom <= bottom &&
              times[index]!.right <= right,
          );
          return { areWhole, isWide: scrollWidth > innerWidth };
        }),
      )
      .toEqual({ areWhole: true, isWide: false });
  }
});

test('the narrowest pictures say in as few words as they have room for how long they stay', async ({
  page,
  member: { customer },
}) => {
  for (const aspect_ratio of ['21:9', '9:16', '9:16'])
    await customer.generate(picture(`a fig, ${aspect_ratio}`, { aspect_ratio }));
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await expect(tile(page, 'a fig, 21:9').getByText('30 days left')).toBeVisible();
  await expect(tile(page, 'a fig, 9:16').getByText('30 d', { exact: true }).first()).toBeVisible();
  const isWhole = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[role=gridcell]')].every(
        cell => cell.querySelector('time')!.getBoundingClientRect().right <= cell.getBoundingClientRect().right,
      ),
    );
  expect(await isWhole()).toBe(true);
  await page.evaluate(() => (document.documentElement.style.fontSize = '24px'));
  await expect.poll(isWhole).toBe(true);
});

test('when all that is loaded is deleted the rest comes', async ({ page, member, house }) => {
  const { customer, accountId } = member;
  await customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, accountId, 400);
  await open(page);
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: 'Select all loaded' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: /^Delete \d+$/ }).click();
  await expect(page.getByText(/^\d+ deleted$/)).toBeVisible();
  await expect(tiles(page).first()).toBeVisible();
});

test('everything that was deleted is, though the page is left at once', async ({ page, member, house }) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 30);
  await open(page);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: 'Select all loaded' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete 31' }).click();
  await expect(page.getByText('31 deleted', { exact: true })).toBeVisible();
  await page.goto('/docs');
  const left = async () => {
    const { rows } = await house.pool.query('select 1 from requests where account_id = $1 and removed_at is null', [
      member.accountId,
    ]);
    return rows.length;
  };
  await expect.poll(left).toBe(0);
});

test('a deletion that is refused is told, and what it was for is there again', async ({
  page,
  member: { customer },
}) => {
  const { request_id } = await customer.generate(picture('a fig on a table'));
  await customer.generate(picture('a plum on a table'));
  const error = { code: 'internal_error', message: 'Something went wrong here.' };
  await page.route(`**/v1/requests/${request_id}`, (route, request) =>
    request.method() === 'DELETE' ? route.fulfill({ status: 500, json: { error } }) : route.fallback(),
  );
  await page.clock.install();
  await open(page);
  await tile(page, 'a fig').getByRole('link').focus();
  await page.keyboard.press('Delete');
  await expect(tiles(page)).toHaveCount(1);
  await page.clock.fastForward('00:11');
  // by its name: whoever goes through results stands at another one by then
  await expect(page.getByText('“a fig on a table” was not deleted.', { exact: true })).toBeVisible();
  await expect(page.getByText(error.message, { exact: true })).toBeVisible();
  await expect(tile(page, 'a fig')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(tiles(page)).toHaveCount(1);
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
});

test('what was deleted is, though one signs out at once', async ({ page, member, house }) => {
  const { request_id } = await member.customer.generate(picture('a fig on a table'));
  await page.goto(`/history?view=${request_id}`);
  await viewer(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  const { rows } = await house.pool.query('select removed_at from requests where id = $1', [request_id]);
  expect(rows).toEqual([{ removed_at: expect.any(Date) }]);
});

test('of two presses the later one counts, however late the answer to the first', async ({ page, member }) => {
  await member.customer.generate(picture('a fig on a table'));
  await open(page);
  const heart = page.getByRole('button', { name: 'Favourite: a fig on a table' });
  const release = await holdAnswer(page, '**/favourite');
  await tiles(page).hover();
  const both = ['PUT', 'DELETE'].map(method => page.waitForResponse(answer => answer.request().method() === method));
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  release();
  await Promise.all(both);
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  const { data } = await (await member.page.get('/v1/requests')).json();
  expect(data[0].favourite).toBe(false);
});

test('what is marked while a further page is on its way stays marked', async ({ page, member, house }) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 60);
  // nor does a look at the newest mend it
  await hold(page, '**/v1/requests?*limit=48*');
  const release = await hold(page, '**/v1/requests?*cursor=*');
  const loading = page.getByText('Loading more');
  await open(page);
  const newest = tiles(page).first();
  const heart = newest.getByRole('button', { name: /^Favourite/ });
  await newest.getByRole('link').focus();
  await page.keyboard.press('End');
  await expect(loading).toBeVisible();
  await page.keyboard.press('Home');
  await expect(newest.getByRole('link')).toBeFocused();
  const marked = page.waitForResponse('**/favourite');
  await page.keyboard.press('f');
  await marked;
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  release();
  await expect(loading).toBeHidden();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('End');
  await expect(tile(page, 'number 60')).toBeVisible();
});

test('what fits a filter only now stands where it belongs', async ({ page, member, house }) => {
  // tall enough for all of them, however midnight parts their rows
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

test('more requests in the making than one call takes are watched, and what is sent again is counted once', async ({
  page,
  context,
  idle,
}) => {
  const { id, call } = await signUp(context, idle);
  await idle.pool.query('update accounts set in_flight_limit = 100 where id = $1', [id]);
  // the answer is lost, and the one to what is sent again comes after a look that has found it
  const found = Promise.withResolvers<void>();
  await page.route('**/v1/z_image/generate', async route => {
    await found.promise;
    await route.continue();
  });
  await loseAnswers(page, '**/v1/z_image/generate');
  await openCreate(page, `${idle.baseURL}/create/z_image`);
  await promptField(page).fill('a fig');
  await createButton(page).click();
  const titleAfterLook = async () => {
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    return page.title();
  };
  await expect.poll(titleAfterLook).toMatch(/^\(1\)/);
  const look = await hold(page, '**/v1/requests?*');
  found.resolve();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('pomona.visit'))).toContain('requestId');
  expect(await page.title()).toMatch(/^\(1\)/);
  look();

  for (let made = 1; made < 51; made++)
    expect((await call('POST', '/v1/z_image/generate', { prompt: `fig ${made}` })).status()).toBe(202);
  await page.goto(`${idle.baseURL}/history`);
  await expect(page).toHaveTitle(/^\(51\)/);
  const [newest] = await requestsOf({ call });
  await call('POST', `/v1/requests/${newest!.request_id}/cancel`);
  await expect(page).toHaveTitle(/^\(50\)/);
});

test('a result that is deleted where no list has it closes, and shows no other', async ({
  page,
  member: { customer },
}) => {
  const shown = await customer.generate(picture('a fig'));
  expect((await customer.api.put(`/v1/requests/${shown.request_id}/favourite`)).status()).toBe(200);
  const { request_id } = await customer.generate(picture('a plum'));
  await page.goto(`/history?favourite=true&view=${request_id}`);
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('a plum');
  await viewer(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
  await expect(viewer(page)).toBeHidden();
  await expect(page).toHaveURL('/history?favourite=true');
  await expect(tiles(page)).toHaveCount(1);
});

test('what fits a filter no longer is gone from it, and what fits it only now is there, also while something is made', async ({
  page,
  context,
  idle,
}) => {
  const { id, call } = await signUp(context, idle);
  for (const prompt of ['a fig', 'a plum', 'a pear'])
    expect((await call('POST', '/v1/z_image/generate', { prompt })).status()).toBe(202);
  // one goes on to be made
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
  // one that is in sight stays until one has left
  await heart('a plum');
  await favourites.click();
  await names('a fig', 'a plum', 'a pear');
  await heart('a pear');
  await favourites.click();
  await names('a pear');

  // what ends meanwhile, too
  await favourites.click();
  await page.getByRole('radio', { name: 'Images' }).check();
  await names('a fig', 'a plum', 'a pear');
  await page.getByRole('radio', { name: 'All' }).check();
  expect((await call('POST', '/v1/z_image/generate', { prompt: 'a quince' })).status()).toBe(202);
  await names('a fig', 'a plum', 'a pear', 'a quince');
  await page.getByRole('radio', { name: 'Images' }).check();
  await names('a fig', 'a plum', 'a pear', 'a quince');

  // and what is in the making no more
  await page.getByRole('radio', { name: 'All' }).check();
  await page.getByRole('button', { name: 'More filters' }).click();
  const state = page.getByRole('combobox', { name: 'State' });
  await state.selectOption('In the making');
  await names('a pear', 'a quince');
  await state.selectOption('Any state');
  await names('a fig', 'a plum', 'a pear', 'a quince');
  const quince = (await requestsOf({ call })).find(({ prompt }) => prompt === 'a quince')!;
  expect((await call('POST', `/v1/requests/${quince.request_id}/cancel`)).status()).toBe(200);
  await expect(tile(page, 'a quince')).toContainText('Cancelled');
  await state.selectOption('In the making');
  await names('a pear');
});

test('of what is compared each side says when its file is not kept any more', async ({ page, member, house }) => {
  const ids: string[] = [];
  for (const prompt of ['one fig', 'two figs']) ids.push((await member.customer.generate(picture(prompt))).request_id);
  const compared = page.getByRole('dialog', { name: 'Compare' });
  // the one is over; the other one's file is gone, and nobody has said so yet
  await house.pool.query(
    `update requests set result = jsonb_set(result, '{expiresAt}', '"2026-01-01T00:00:00.000Z"') where id = $1`,
    [ids[0]],
  );
  await page.route('**/media/**', route => route.fulfill({ status: 404 }));
  await page.goto(`/history?compare=${ids.join(',')}`);
  await expect(compared.getByText('No longer kept')).toHaveCount(2);
  await expectAccessible(page);
});

test('what is compared can be marked, saved and gone on from, each side by itself', async ({ page, member }) => {
  const ids: string[] = [];
  for (const prompt of ['one fig', 'two figs']) ids.push((await member.customer.generate(picture(prompt))).request_id);
  await page.goto(`/history?compare=${ids.join(',')}`);
  const compared = page.getByRole('dialog', { name: 'Compare' });
  const side = compared.getByRole('group', { name: 'Acts of 2' });
  const like = side.getByRole('button', { name: 'Favourite' });
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(compared.getByRole('group', { name: 'Acts of 1' }).getByRole('button', { pressed: true })).toHaveCount(
    0,
  );
  await expect(side.getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'two-figs.png');
  await expectAccessible(page);
  // a phone has room for a menu of them
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(like).toBeHidden();
  await side.getByRole('button', { name: 'Acts of 2' }).click();
  await expect(page.getByRole('menuitem', { name: 'Favourite: take back' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Use settings' }).click();
  await expect(promptField(page)).toHaveValue('two figs');
});

test('Escape closes what is compared, though a notice came meanwhile', async ({ page, context, idle }) => {
  const { id, call } = await signUp(context, idle);
  for (const prompt of ['one fig', 'two figs'])
    expect((await call('POST', '/v1/z_image/generate', { prompt })).status()).toBe(202);
  const ids = (await requestsOf({ call })).map(({ request_id }) => request_id);
  await page.goto(`${idle.baseURL}/history?compare=${ids.join(',')}`);
  const compared = page.getByRole('dialog', { name: 'Compare' });
  await expect(compared.getByText('There is no result.')).toHaveCount(2);
  await expect(page).toHaveTitle(/^\(2\) /);
  await idle.pool.query(
    `update requests set status = 'failed', refunded = true, error_message = 'It broke.', finished_at = now()
    where account_id = $1`,
    [id],
  );
  await expect(page.getByText('2 generations failed', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(compared).toBeHidden();
});

test.describe('in the smallest window of a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('what is compared can be closed', async ({ page, member: { customer } }) => {
    const ids: string[] = [];
    for (const prompt of ['one fig', 'two figs']) ids.push((await customer.generate(picture(prompt))).request_id);
    await page.goto(`/history?compare=${ids.join(',')}`);
    const compared = page.getByRole('dialog', { name: 'Compare' });
    const close = compared.getByRole('button', { name: 'Close' });
    await expect(compared.getByRole('img')).toHaveCount(2);
    await expect(close).toBeInViewport({ ratio: 1 });
    await close.tap();
    await expect(compared).toBeHidden();
  });
});

test.describe('in Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('the page of a result says times as they are there, also that of one that has expired', async ({
    page,
    house,
    member: { customer },
  }) => {
    const { request_id, created_at } = await customer.generate(picture('a fig'));
    await page.goto(`/history/${request_id}`);
    const here = (time: string) =>
      page.evaluate(
        at => new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }),
        time,
      );
    const main = page.getByRole('main');
    await expect(main.locator(`time[datetime="${created_at}"]`)).toHaveText(await here(created_at));
    const over = '2026-01-01T20:00:00.000Z';
    await house.pool.query(
      `update requests set result = jsonb_set(result, '{expiresAt}', to_jsonb($2::text)) where id = $1`,
      [request_id, over],
    );
    await page.reload();
    expect(await here(over)).toContain('Jan 2, 2026, 05:00');
    await expect(main.getByText(/The file expired on/)).toContainText(await here(over));
    await expect(main.locator('dd').filter({ hasText: '2026, 05:00' })).toHaveText(await here(over));
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a menu that goes on below its edge shows that, until its end', async ({ page, member: { customer } }) => {
    const { request_id } = await customer.generate(picture('a fig'));
    await page.setViewportSize({ width: 390, height: 400 });
    await page.goto(`/history?view=${request_id}`);
    await viewer(page).getByRole('button', { name: 'More' }).tap();
    const menu = page.getByRole('menu');
    /** Whether a strip of the menu without words, this far from its top, is as plain as one in its middle. */
    const isPlain = async (down: (height: number) => number) => {
      const { x, y, width, height } = (await menu.boundingBox())!;
      const strip = (at: number) =>
        page.screenshot({ clip: { x: x + width - 8, y: y + at, width: 4, height: 2 }, animations: 'disabled' });
      return (await strip(down(height))).equals(await strip(height / 2));
    };
    const top = () => isPlain(() => 3);
    const bottom = () => isPlain(height => height - 5);
    await expect.poll(top).toBe(true);
    expect(await bottom()).toBe(false);
    await menu.evaluate(element => element.scrollTo({ top: element.scrollHeight, behavior: 'instant' }));
    await expect.poll(bottom).toBe(true);
    expect(await top()).toBe(false);
  });

  test('the viewer is scrolled from the picture while it is whole, and is never all picture', async ({
    page,
    member: { customer },
  }) => {
    const { request_id } = await customer.generate(picture('a fig'));
    await page.goto(`/history?view=${request_id}`);
    const stage = viewer(page).getByRole('application');
    const takes = () => stage.evaluate(element => getComputedStyle(element).touchAction);
    expect(await takes()).toBe('pan-y');
    const box = (await stage.boundingBox())!;
    const hand = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ys: number[]) =>
      hand.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y, id) => ({ x: box.x + 100, y, id })) });
    await touch('touchStart', 400);
    for (const y of [380, 340, 300, 260, 220]) await touch('touchMove', y);
    await touch('touchEnd');
    await expect.poll(async () => (await stage.boundingBox())!.y).toBeLessThan(box.y - 50);
    // two fingers enlarge it
    const whole = await viewer(page)
      .getByText(/^\d+ %$/)
      .innerText();
    // what still glides takes no fingers, and how far it goes is the machine's affair
    await expect(async () => {
      await stage.evaluate(element => element.scrollIntoView({ block: 'center' }));
      const { y, height } = (await stage.boundingBox())!;
      const middle = y + height / 2;
      await touch('touchStart', middle - 20, middle + 20);
      for (const apart of [40, 60, 80, 100]) await touch('touchMove', middle - apart, middle + apart);
      await touch('touchEnd');
      await expect(viewer(page).getByText(/^\d+ %$/)).not.toHaveText(whole, { timeout: 1_000 });
    }).toPass();
    await expect.poll(takes).toBe('none');

    await page.setViewportSize({ width: 740, height: 300 });
    await page.evaluate(() => (document.documentElement.style.fontSize = '24px'));
    await expect.poll(async () => (await stage.boundingBox())!.height).toBeLessThan(300);
  });
});

test.describe('where the day ends as on the server', () => {
  test.use({ timezoneId: 'UTC' });
  test('a history that is open at midnight tells the days of the new one', async ({
    page,
    house,
    member: { customer },
  }) => {
    const { request_id } = await customer.generate(picture('a fig'));
    const night = new Date();
    night.setUTCHours(23, 50, 0, 0);
    const soon = new Date(night.getTime() + 90 * 60_000).toISOString();
    await house.pool.query(
      `update requests set result = jsonb_set(result, '{expiresAt}', to_jsonb($2::text)) where id = $1`,
      [request_id, soon],
    );
    await page.clock.install({ time: night });
    await open(page);
    await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
    await expect(tile(page, 'a fig').getByText('1 h left')).toBeVisible();
    await page.clock.fastForward('02:00:00');
    await expect(page.getByRole('heading', { name: 'Yesterday' })).toBeVisible();
    await expect(tile(page, 'a fig').getByText('Expired').first()).toBeVisible();
  });
});
