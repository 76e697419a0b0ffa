import { readFileSync, rmSync } from 'node:fs';
import { comeBackUntil, expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { createButton, openCreate, promptField } from './create-page.ts';
import { expect, open, picture, test, tile, tiles } from './history-page.ts';
import { hold, holdAnswer, loseAnswers } from './network.ts';
import { seedHistory } from './seed-history.ts';
import { requestsOf } from './someone.ts';
import { viewer } from './viewer.ts';

// the history list: selection, favourites, keyboard, and changes while it is open

test('an empty history links to Create', async ({ page, member }) => {
  void member;
  await page.goto('/history');
  await expect(page.getByRole('heading', { name: 'Your history is empty' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Create something' }).click();
  await expect(page).toHaveURL(/\/create/);
});

test('on a phone the selection bar has labelled main actions in one row, and the rest in a menu', async ({
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

test('results are selected, marked, downloaded with sidecars, compared and deleted by keyboard alone', async ({
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
  // X selects one, Shift+X all up to another one; capital letters work as well
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
  // each name occurs in its file header and again in the central directory
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
  // leaving the page commits the deletion without waiting ten seconds
  await page.reload();
  await expect.poll(left).toEqual(['one fig']);
});

test('a range starts at the last selected result even if newer results arrive, and starts over after a clear', async ({
  page,
  member: { customer },
}) => {
  for (const prompt of ['one fig', 'two figs', 'three figs']) await customer.generate(picture(prompt));
  await open(page);
  const choose = (prompt: string, modifiers: 'Shift'[] = []) =>
    page.getByLabel(`Select: ${prompt}`).click({ modifiers, force: true });
  await choose('two figs');
  await customer.generate(picture('four figs'));
  await comeBackUntil(page, options => expect(tile(page, 'four figs')).toBeVisible(options));
  await choose('one fig', ['Shift']);
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the selection' }).click();
  await choose('four figs', ['Shift']);
  await expect(page.getByText('1 selected')).toBeVisible();
});

test('a tile focused by arrow keys is never hidden under the filter bar', async ({ page, house, member }) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 60);
  await page.setViewportSize({ width: 768, height: 700 });
  await open(page);
  await tiles(page).first().getByRole('link').press('End');
  const at = () => page.evaluate(() => Number(document.activeElement!.getAttribute('data-tile')));
  await expect.poll(at).toBeGreaterThan(10);
  while ((await at()) > 10) {
    const before = await at();
    await page.keyboard.press('ArrowUp');
    await expect.poll(at).toBeLessThan(before);
    const isShown = await page.evaluate(() => {
      const { x, y } = document.activeElement!.getBoundingClientRect();
      return document.activeElement!.closest('[role=gridcell]')!.contains(document.elementFromPoint(x + 60, y + 6));
    });
    expect(isShown, `the tile ${await at()}`).toBe(true);
  }
});

test('arrow keys continue from the last tile or its neighbour after scrolling, closing the viewer or deleting', async ({
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
  // the focused row stays in the DOM although its neighbours do not, and in its order before the visible rows
  // scrolled again once the rest of the list has loaded: the end of the first page is too near
  const scrollToEnd = () => page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
  await expect.poll(() => scrollToEnd().then(() => at(12).count())).toBe(0);
  const drawn = await page
    .getByRole('row')
    .evaluateAll(rows => rows.map(row => Number(row.getAttribute('aria-rowindex'))));
  expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
  await page.keyboard.press('ArrowRight');
  await expect(at(1)).toBeFocused();
  const [gone, neighbour] = [await opens(1), await opens(2)];
  await page.keyboard.press('Delete');
  await expect(page.locator(`[data-opens="${gone}"]`)).toHaveCount(0);
  await expect(at(1)).toBeFocused();
  expect(await opens(1)).toBe(neighbour);
  await page.keyboard.press('ArrowRight');
  await expect(at(2)).toBeFocused();

  // the viewer steps far beyond the visible rows
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

  // the pressed button disappears with the selection, and the focus moves to the next tile
  await page.keyboard.press('Shift+ArrowRight');
  const stays = await opens(place + 1);
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Delete 2' }).press('Enter');
  await expect(page.locator(`[data-opens="${stays}"]`)).toBeFocused();
});

test('a request started elsewhere appears and completes in the history without a reload', async ({
  page,
  member: { customer },
}) => {
  await customer.generate(picture('first'));
  await open(page);
  const { request_id } = await customer.submit(picture('from elsewhere'));
  await expect(tile(page, 'from elsewhere')).toBeVisible({ timeout: 40_000 });
  await customer.finish({ request_id });
  await expect(tile(page, 'from elsewhere').getByText('30 days left')).toBeVisible({ timeout: 40_000 });
});

test('a history of 10,000 results renders fewer than 120 tiles after scrolling past 500', async ({
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
  // this result does not match the search: once it is visible, the whole list is back, and the focus is not lost
  await expect(tile(page, 'number 2').first()).toBeVisible();
  await tiles(page).first().getByRole('link').focus();
  // End moves to the last loaded result and loads more
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

test('going back to the history restores the scroll position, even on the first visit of a browser', async ({
  page,
  context,
  member: { customer, accountId },
  house,
}) => {
  await customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, accountId, 150);
  await open(page);
  // the page is this long once further results are loaded
  await expect.poll(() => page.evaluate(() => (scrollTo(0, 3000), scrollY))).toBe(3000);
  const frame = async () => (await context.cookies()).find(({ name }) => name === 'gallery')?.value;
  await expect.poll(frame).toMatch(/^\d{3}/);
  const before = await frame();
  await page.getByRole('link', { name: 'Uploads' }).click();
  await expect(page.getByRole('heading', { name: 'Uploads' })).toBeVisible();
  await page.goBack();
  await expect(tiles(page).first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(3000);
  expect(await frame()).toBe(before);
});

test('the later of two favourite clicks counts when the answer to the first arrives late', async ({ page, member }) => {
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

test('a favourite marked while the next page loads stays marked', async ({ page, member, house }) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 60);
  // held back, so that a poll of the newest results does not hide a wrong state
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

test('more requests in progress than fit one call are all watched, and a resent request is counted once', async ({
  page,
  context,
  idle,
}) => {
  const { id, call } = await signUp(context, idle);
  await idle.pool.query('update accounts set in_flight_limit = 100 where id = $1', [id]);
  // the answer is lost, and the retry is answered only after a poll has found the request
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
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: 'Select all loaded' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText('What is in progress stays.', { exact: true })).toBeVisible();
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
});

test.describe('in the time zone of the server (UTC)', () => {
  test.use({ timezoneId: 'UTC' });
  test('a history open at midnight updates its day headings and retention times', async ({
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

test.describe('in the time zone of Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('the history hydrates without Intl.DateTimeFormat, and stores its UTC offset in a cookie', async ({
    page,
    context,
    member: { customer },
  }) => {
    await customer.generate(picture('a fig'));
    await page.addInitScript(() => {
      const made: string[] = [];
      const note = (how: string) => made.push(how);
      Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
        construct: (...all) => (note('new'), Reflect.construct(...all) as Intl.DateTimeFormat),
        apply: (...all) => (note('called'), Reflect.apply(...all)),
      });
      Object.assign(window, { made });
    });
    await open(page);
    const frame = async () => (await context.cookies()).find(({ name }) => name === 'gallery')?.value;
    await expect.poll(frame).toMatch(/^\d+%20%2B09%3A00$/);
    await expect(page.getByRole('heading', { name: 'Today' })).toBeVisible();
    expect(await page.evaluate('made')).toEqual([]);
  });
});
