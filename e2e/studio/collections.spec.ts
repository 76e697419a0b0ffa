import { PASSWORD } from '../member.ts';
import { comeBackUntil, expectAccessible } from '../page-checks.ts';
import type { RequestWire } from '#lib/contract/schemas';
import { promptField } from './create-page.ts';
import { hold, holdAnswer } from './network.ts';
import { seedHistory } from './seed-history.ts';
import { expect, makePicture, requestsOf, test, untilItListens } from './someone.ts';

// collections of results

test('results can be collected, reordered, shared by a link and remixed', async ({ someone, browser, house }) => {
  const { page } = someone;
  for (const prompt of ['a fig', 'a plum', 'a pear']) await makePicture(someone, prompt);

  await page.goto('/history');
  await page.getByRole('button', { name: 'Select' }).click();
  for (const prompt of ['a fig', 'a plum', 'a pear']) await page.getByLabel(`Select: ${prompt}`).click();
  await page.getByRole('button', { name: 'Collect' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add 3 to a collection' });
  await expectAccessible(page);
  await dialog.getByLabel('Name of a new collection').fill('Orchard');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Orchard' })).toBeVisible();

  const tiles = page.locator('[data-opens]');
  const namesOf = () =>
    tiles.evaluateAll(links => links.map(link => link.getAttribute('aria-label')!.replace('Open: ', '')));
  const before = await namesOf();
  await expect(page.getByText('30 days left', { exact: true })).toHaveCount(3);
  await page.getByRole('button', { name: `More: ${before[2]}` }).click();
  // the new order is shown before it is saved
  const kept = page.waitForResponse('**/api/collections/*/items');
  await page.getByRole('menuitem', { name: 'Move to the front' }).click();
  await expect.poll(namesOf).toEqual([before[2], before[0], before[1]]);
  await expect(page.getByRole('status').filter({ hasText: `${before[2]}: 1 of 3` })).toBeAttached();
  await kept;
  await page.reload();
  await expect.poll(namesOf).toEqual([before[2], before[0], before[1]]);
  await tiles.nth(2).dragTo(tiles.first());
  await expect.poll(namesOf).toEqual([before[1], before[2], before[0]]);
  await page.getByRole('button', { name: `More: ${before[0]}` }).click();
  await page.getByRole('menuitem', { name: 'Use as cover' }).click();
  await expect(page.getByText('Cover', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Share' }).click();
  const shows = page.getByRole('dialog').getByLabel('Show prompt and settings');
  await shows.uncheck();
  await page.getByRole('button', { name: 'Create link' }).click();
  const address = await page.getByLabel('Address of the page').inputValue();
  await expectAccessible(page);
  const settings = async () => (await (await someone.call('GET', '/api/shares')).json()).data[0].settings;
  expect(await settings()).toBe(false);
  await shows.click();
  await expect.poll(settings).toBe(true);
  await page.keyboard.press('Escape');

  const visitor = await browser.newContext();
  const shown = await visitor.newPage();
  await shown.goto(address);
  await expect(shown.getByRole('heading', { name: 'Orchard' })).toBeVisible();
  await expect(shown.getByRole('img', { name: 'a plum' })).toBeVisible();
  expect(await shown.locator('meta[property="og:image"]').getAttribute('content')).toContain('/media/');
  await expectAccessible(shown);
  // a user who signs in first then gets to the item to remix
  await shown.getByRole('link', { name: 'Remix' }).first().click();
  await shown.getByLabel('E-mail').fill(someone.email);
  await shown.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await shown.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(promptField(shown)).toHaveValue(before[1]!);
  await visitor.close();

  // the page has only the visible part of a long prompt; a remix has all of it
  const long = `${before[1]}${', and another one'.repeat(40)}, to the end`;
  await house.pool.query(
    `update requests set prompt = $1, config = config || jsonb_build_object('prompt', $1::text) where account_id = $2 and prompt = $3`,
    [long, someone.id, before[1]],
  );
  const whole = await page.goto(address);
  expect(await whole!.text()).not.toContain('to the end');
  await page.getByRole('link', { name: 'Remix' }).first().click();
  await expect(promptField(page)).toHaveValue(long);

  await page.goto('/collections');
  await page.getByRole('link', { name: /Orchard/ }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Stop sharing' }).click();
  await expect(page.getByText('No longer shared', { exact: true }).first()).toBeVisible();
  expect((await page.goto(address))?.status()).toBe(404);
});

test('the name of a collection may take two lines on a phone', async ({ someone: { page, call } }) => {
  await call('POST', '/api/collections', { name: 'Moodboard spring' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/collections');
  const name = page.getByText('Moodboard spring', { exact: true });
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  expect(await name.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
});

test('an empty collection says how to fill it, offers no download, and can be renamed', async ({
  someone: { page, call },
}) => {
  const { id } = (await (await call('POST', '/api/collections', { name: 'Orchard' })).json()) as { id: string };
  await page.goto(`/collections/${id}`);
  await expect(page.getByRole('link', { name: 'Choose from the history' })).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'Name and notes' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Download all' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Name and notes' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Vineyard');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Vineyard' })).toBeVisible();
  await expect(page).toHaveTitle('Vineyard · Pomona');
});

test('more results than one API call accepts can be added to a new and to an existing collection', async ({
  someone,
  house,
}) => {
  const { page, call } = someone;
  await makePicture(someone, 'a fig');
  await seedHistory(house.pool, someone.id, 230);
  const { id } = (await (await call('POST', '/api/collections', { name: 'Orchard' })).json()) as { id: string };
  await page.goto('/history');
  const gallery = page.getByRole('grid');
  await gallery.getByRole('link').first().focus();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.getByRole('gridcell').filter({ hasText: 'number 230' })).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: 'Select all loaded' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add 231 to a collection' });
  const collect = () => page.getByRole('button', { name: 'Collect' }).click();
  const countsOf = async (name: string) => {
    const { data } = (await (await call('GET', '/api/collections')).json()) as {
      data: { name: string; count: number }[];
    };
    return data.filter(one => one.name === name).map(({ count }) => count);
  };
  await collect();
  await dialog.getByLabel('Name of a new collection').fill('Rows');
  await page.route('**/api/collections/*/items', route => route.abort(), { times: 1 });
  const create = dialog.getByRole('button', { name: 'Create' });
  await create.click();
  await expect(dialog.getByRole('alert')).toContainText('200 of 231 are in “Rows”.');
  await create.click();
  await expect(page.getByText('Added to “Rows”', { exact: true })).toBeVisible();
  expect(await countsOf('Rows')).toEqual([231]);
  await collect();
  await dialog.getByRole('button', { name: /^Orchard/ }).click();
  await expect(page.getByText('Added to “Orchard”', { exact: true })).toBeVisible();
  expect(await countsOf('Orchard')).toEqual([231]);
  // the collection has the order of the history
  const { items } = (await (await call('GET', `/api/collections/${id}`)).json()) as { items: RequestWire[] };
  const [newest] = await requestsOf(someone);
  expect(items[0]!.request_id).toBe(newest!.request_id);
});

test('a long list of collections can be searched by name', async ({ someone }) => {
  const { page, call } = someone;
  await makePicture(someone, 'a fig');
  for (let n = 1; n <= 10; n++) await call('POST', '/api/collections', { name: `Orchard ${n}` });
  await page.goto('/history');
  await page.getByRole('gridcell').first().getByRole('link').focus();
  const openDialog = async () => {
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await page.getByLabel('Select: a fig').click();
    await page.getByRole('button', { name: 'Collect' }).click();
  };
  await openDialog();
  const dialog = page.getByRole('dialog', { name: 'Add to a collection' });
  const rows = dialog.getByRole('listitem');
  const find = dialog.getByRole('searchbox', { name: 'Search collections' });
  await expect(rows).toHaveCount(10);
  await expect(find).toBeHidden();
  await page.keyboard.press('Escape');
  for (const name of ['Garden', 'Old garden']) await call('POST', '/api/collections', { name });
  await page.reload();
  await openDialog();
  // waits for the opening animation
  await dialog.evaluate(element => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  const place = await find.boundingBox();
  await find.fill('nothing like it');
  await expect(dialog.getByText('No collection has this name.')).toBeVisible();
  expect(await find.boundingBox()).toEqual(place);
  await expectAccessible(page);
  await find.fill('GARDEN');
  await expect(rows).toHaveText([/garden/i, /garden/i]);
  await find.fill('old gar');
  await rows.getByRole('button').click();
  await expect(page.getByText('Added to “Old garden”', { exact: true })).toBeVisible();
});

test('the HTML of a large collection contains its beginning, and the page then loads all of it', async ({
  someone,
  house,
}) => {
  const { page, call } = someone;
  await makePicture(someone, 'a fig');
  await seedHistory(house.pool, someone.id, 199);
  const { id } = (await (await call('POST', '/api/collections', { name: 'Orchard' })).json()) as { id: string };
  const { rows } = await house.pool.query('select id from requests where account_id = $1', [someone.id]);
  await call('PUT', `/api/collections/${id}/items`, { request_ids: rows.map(row => row.id) });
  const html = await (await page.request.get(`/collections/${id}`)).text();
  expect(html.split('data-opens=').length - 1).toBe(48);
  await page.goto(`/collections/${id}`);
  await expect(page.locator('[data-opens]')).toHaveCount(200);

  // the list is also complete after navigation from another page, and going back restores the scroll position
  await page.goto('/collections');
  await page.getByRole('link', { name: 'Orchard' }).click();
  await expect(page.locator('[data-opens]')).toHaveCount(200);
  await page.evaluate(() => scrollTo(0, 3000));
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(3000);
  await page.getByRole('link', { name: 'Uploads' }).click();
  await expect(page.getByRole('heading', { name: 'Uploads' })).toBeVisible();
  await page.goBack();
  await expect(page.locator('[data-opens]')).toHaveCount(200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(3000);
});

test('quick changes to a collection persist, whatever order the responses arrive in, also after going back', async ({
  someone,
}) => {
  const { page, call } = someone;
  const made = [];
  for (const prompt of ['a fig', 'a plum', 'a pear']) made.push(await makePicture(someone, prompt));
  const request_ids = made.map(({ request_id }) => request_id);
  await call('POST', '/api/collections', { name: 'Orchard', request_ids: request_ids.slice(0, 2) });
  await page.goto('/collections');
  const orchard = page.getByRole('link', { name: /Orchard/ });
  await untilItListens(orchard);
  // simulates a drag from another window
  const isTaken = await orchard.evaluate((element, requestId) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.setData('application/x-pomona-image', JSON.stringify([{ media: 'image', url: '/', requestId }]));
    const given = { bubbles: true, cancelable: true, dataTransfer };
    return ['dragover', 'drop'].map(type => !element.dispatchEvent(new DragEvent(type, given)));
  }, request_ids[2]);
  expect(isTaken).toEqual([true, true]);
  await expect(page.getByText('Added to “Orchard”', { exact: true })).toBeVisible();
  await expect(orchard).toContainText('3 results');
  await orchard.click();
  const tiles = page.locator('[data-opens]');
  await expect(tiles).toHaveCount(3);
  const act = async (prompt: string, name: string) => {
    await page.getByRole('button', { name: `More: ${prompt}` }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const release = await holdAnswer(page, '**/items');
  const moved = page.waitForResponse('**/items');
  const taken = page.waitForResponse('**/items?*');
  await act('a pear', 'Move to the front');
  await act('a plum', 'Remove from the collection');
  await expect(page.getByRole('status').filter({ hasText: 'a plum: removed' })).toBeAttached();
  await expect(tiles).toHaveCount(2);
  // the focus moves to the next item
  await expect(page.locator(':focus')).toHaveAccessibleName(/^More: a (pear|fig)$/);
  release();
  await Promise.all([moved, taken]);
  const shown = [/a pear/, /a fig/];
  await expect(tiles).toHaveCount(2);
  for (const [place, name] of shown.entries()) await expect(tiles.nth(place)).toHaveAccessibleName(name);

  await page.getByRole('link', { name: 'History' }).first().click();
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Orchard' })).toBeVisible();
  await expect(tiles).toHaveCount(2);
});

test('going back closes an open dialog', async ({ someone }) => {
  const { page, call } = someone;
  const { request_id } = await makePicture(someone, 'a fig');
  await page.setViewportSize({ width: 390, height: 844 });
  await call('POST', '/api/collections', { name: 'Orchard', request_ids: [request_id] });
  await page.goto('/collections');
  await page.getByRole('link', { name: /Orchard/ }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/collections$/);
  await expect(dialog).toBeHidden();
});

test('a removed collection no longer appears after going back or in another open tab', async ({
  someone: { page, context, call },
}) => {
  const { id } = (await (await call('POST', '/api/collections', { name: 'Orchard' })).json()) as { id: string };
  await page.goto('/collections');
  await page.getByRole('link', { name: /Orchard/ }).click();
  await expect(page.getByRole('heading', { name: 'Orchard' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(`/collections/${id}`);
  await expect(other.getByRole('heading', { name: 'Orchard' })).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove the collection' }).click();
  await expect(page).toHaveURL('/collections');
  await page.goBack();
  await expect(page).toHaveURL('/collections');
  await expect(page.getByRole('heading', { name: 'Orchard' })).toBeHidden();
  await comeBackUntil(other, options => expect(other.getByRole('heading', { name: 'Orchard' })).toBeHidden(options));
  await expect(other.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('a result deleted in a collection disappears immediately and permanently, unless it is undone', async ({
  someone,
}) => {
  const { page, call } = someone;
  const made = [];
  for (const prompt of ['a fig', 'a plum']) made.push(await makePicture(someone, prompt));
  const request_ids = made.map(({ request_id }) => request_id);
  const { id } = (await (await call('POST', '/api/collections', { name: 'Orchard', request_ids })).json()) as {
    id: string;
  };
  await page.goto(`/collections/${id}`);
  const tiles = page.locator('[data-opens]');
  const viewer = page.getByRole('dialog', { name: 'Result' });
  await expect(tiles).toHaveCount(2);
  const remove = async (prompt: string) => {
    await page.getByRole('link', { name: `Open: ${prompt}` }).click();
    await viewer.getByRole('button', { name: 'Delete' }).click();
  };
  await remove('a fig');
  await expect(viewer.getByRole('region', { name: 'Prompt' })).toContainText('a plum');
  const gone = page.waitForResponse(answer => answer.request().method() === 'DELETE');
  await page.keyboard.press('Escape');
  await expect(tiles).toHaveCount(1);
  await gone;
  await expect(page.getByText('Deleted', { exact: true })).toBeHidden();
  await expect(tiles).toHaveCount(1);

  await remove('a plum');
  await expect(page.getByRole('heading', { name: 'This collection is empty' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tiles).toHaveCount(1);
});

test('a collection is created only once if the form is submitted again while its page loads', async ({
  someone: { page },
}) => {
  await page.goto('/collections');
  await page.getByRole('button', { name: 'New collection' }).first().click();
  const collection = page.getByRole('dialog', { name: 'New collection' });
  await collection.getByLabel('Name').fill('Orchard');
  const release = await hold(page, '**/collections/*');
  const made: string[] = [];
  page.on('request', request => request.method() === 'POST' && made.push(request.url()));
  const answered = page.waitForResponse('**/api/collections');
  await collection.getByRole('button', { name: 'Create' }).click();
  await answered;
  for (let n = 0; n < 2; n++) await collection.getByLabel('Name').press('Enter');
  release();
  await expect(page.getByRole('heading', { name: 'Orchard', level: 1 })).toBeVisible();
  expect(made.filter(url => url.endsWith('/api/collections'))).toHaveLength(1);
});
