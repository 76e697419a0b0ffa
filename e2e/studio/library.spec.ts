import { expectAccessible } from '../page-checks.ts';
import type { RequestWire } from '#lib/contract/schemas';
import { PASSWORD } from '../member.ts';
import { signUp, type SignedIn } from '../session.ts';
import { openCreate, promptField } from './create-page.ts';
import { hold, holdAnswer } from './network.ts';
import { seedHistory } from './seed-history.ts';
import { expect, make, requestsOf, test } from './someone.ts';

// what is put together of results, kept, and shown to others

const makePicture = (someone: SignedIn, prompt: string) => make(someone, 'z_image', { prompt, aspect_ratio: '1:1' });

test('results are put into a collection, brought into order, shared and remixed', async ({
  someone,
  browser,
  house,
}) => {
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
  await page.getByRole('button', { name: `More: ${before[2]}` }).click();
  // it shows before it is kept
  const kept = page.waitForResponse('**/api/collections/*/items');
  await page.getByRole('menuitem', { name: 'To the front' }).click();
  await expect.poll(namesOf).toEqual([before[2], before[0], before[1]]);
  await expect(page.getByRole('status').filter({ hasText: `${before[2]}: 1 of 3` })).toBeAttached();
  await kept;
  await page.reload();
  await expect.poll(namesOf).toEqual([before[2], before[0], before[1]]);
  await tiles.nth(2).dragTo(tiles.first());
  await expect.poll(namesOf).toEqual([before[1], before[2], before[0]]);
  await page.getByRole('button', { name: `More: ${before[0]}` }).click();
  await page.getByRole('menuitem', { name: 'Make it the cover' }).click();
  await expect(page.getByText('Cover', { exact: true })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Share' }).click();
  const shows = page.getByRole('dialog').getByLabel('Show prompt and settings');
  await shows.uncheck();
  await page.getByRole('button', { name: 'Create the link' }).click();
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
  // who has an account, but is not signed in here, gets to what was to be remixed
  await shown.getByRole('link', { name: 'Remix' }).first().click();
  await shown.getByLabel('E-mail').fill(someone.email);
  await shown.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await shown.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(promptField(shown)).toHaveValue(before[1]!);
  await visitor.close();

  // of a long prompt the page has as much as is seen of it, and whoever remixes it all
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

test('a shared film can be heard, and gone through', async ({ someone }) => {
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

test('a large shared collection is shown in parts, forth and back to its beginning', async ({ someone, house }) => {
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
  // the head of the part comes after its rows
  await expect(page).toHaveTitle(/Rows/);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'From the beginning' }).click();
  await expect(results).toHaveCount(60);
  // what is remixed is read alone
  const read = page.waitForResponse('**/api/shared/**');
  await page.getByRole('link', { name: 'Remix' }).first().click();
  expect((await (await read).json()).items).toHaveLength(1);
  await expect(promptField(page)).toHaveValue(/a fig/);
});

test('on a phone the bar says under which of its entries one is', async ({ someone: { page } }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const current = page.getByRole('navigation', { name: 'Main, short' }).locator('[aria-current]');
  for (const [path, entry] of [
    ['/create', 'Create'],
    ['/recipes', 'Create'],
    ['/matrix', 'Create'],
    ['/history', 'History'],
    ['/collections', 'History'],
    ['/characters', 'Characters'],
    ['/references', 'Characters'],
    ['/uploads', 'Characters'],
    ['/account/gems', 'Account'],
  ] as const) {
    await page.goto(path);
    await expect(current, path).toHaveText(entry);
  }
});

test('on a desk the rail marks each page by its own entry, and Matrix by that of Create', async ({
  someone: { page },
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const current = page.getByRole('navigation', { name: 'Main', exact: true }).locator('[aria-current]');
  for (const [path, entry] of [
    ['/matrix', 'Create'],
    ['/recipes', 'Recipes'],
    ['/collections', 'Collections'],
    ['/uploads', 'Uploads'],
  ] as const) {
    await page.goto(path);
    await expect(current, path).toHaveText([entry]);
  }
});

test('what is about to expire is told of, and kept', async ({ someone, house }) => {
  const { page } = someone;
  for (const prompt of ['a fig', 'a plum']) {
    const { request_id } = await makePicture(someone, prompt);
    await house.pool.query(
      `with old as (update requests set id = (left(lpad(to_hex(((extract(epoch from now()) - 25 * 86400) * 1000)::bigint), 12, '0'), 12) || right(replace(id::text, '-', ''), 20))::uuid
        where id = $1 returning id)
      update media set request_id = (select id from old), expires_at = now() + interval '5 days' where request_id = $1`,
      [request_id],
    );
  }
  await page.goto('/history');
  const tiles = page.locator('[data-opens]');
  const note = page.getByRole('complementary', { name: 'About to expire' });
  await expect(note).toContainText('2 results expire within a week.');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByLabel('Select: a plum').click();
  const bar = page.getByRole('toolbar', { name: 'Selected results' });
  const kept = page.waitForResponse('**/keep');
  await bar.getByRole('button', { name: 'Keep', exact: true }).click();
  await kept;
  await bar.getByRole('button', { name: 'Clear the selection' }).click();
  await expect(note).toContainText('One result expires within a week.');
  // what was kept meanwhile is not among those that go
  await note.getByRole('button', { name: 'Show them' }).click();
  await expect(tiles).toHaveCount(1);
  await expect(tiles).toHaveAccessibleName(/^a fig/);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await note.getByRole('button', { name: 'Keep all' }).click();
  await expect(note).toBeHidden();
  await page.getByRole('button', { name: 'Kept' }).click();
  await expect(tiles).toHaveCount(2);
  await tiles.first().click();
  const keep = page.getByRole('dialog', { name: 'Result' }).getByRole('button', { name: 'Keep', exact: true });
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await keep.click();
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
});

test('an empty collection says how it is filled, has no files to download, and is called anew', async ({
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

test('a result is tagged, dragged to a collection, and found by its words, its tag and a preset', async ({
  someone,
}) => {
  const { page, call } = someone;
  await makePicture(someone, 'a bitter quince');
  await makePicture(someone, 'a plum');
  const wide = { name: 'Wide sketch', architecture: 'z_image', settings: { aspect_ratio: '21:9' } };
  expect((await call('POST', '/api/presets', wide)).status()).toBe(201);
  await page.goto('/history');
  await page.getByRole('button', { name: 'Select' }).click();
  for (const prompt of ['a bitter quince', 'a plum']) await page.getByLabel(`Select: ${prompt}`).click();
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag 2 results' });
  await dialog.getByRole('textbox', { name: 'Tag' }).fill('Fruit');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Give', exact: true }).click();
  await expect(dialog).toBeHidden();
  // what is selected is dragged together
  const first = page.getByRole('gridcell').first();
  await first.dragTo(page.getByRole('link', { name: 'Collections' }).first());
  await expect(page.getByRole('dialog', { name: 'Add 2 to a collection' })).toBeVisible();
  await page.keyboard.press('Escape');
  await first.dragTo(page.getByRole('link', { name: 'Create' }));
  await page
    .getByRole('dialog', { name: 'Use it in' })
    .getByRole('button', { name: 'Reference image of Mango' })
    .click();
  await expect(page.getByText('2 of 10 images')).toBeVisible();

  await page.goto('/history');
  await page.getByRole('link', { name: /^a plum/ }).click();
  const tags = page.getByRole('region', { name: 'Tags' });
  await tags.getByLabel('Add a tag').fill('blue');
  await page.keyboard.press('Enter');
  await expect(tags.getByRole('link')).toHaveText(['blue', 'fruit']);
  await tags.getByRole('button', { name: 'Take the tag fruit away' }).click();
  await expect(tags.getByRole('link')).toHaveText(['blue']);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption('fruit');
  await expect(page.locator('[data-tile]')).toHaveCount(1);

  await page
    .getByRole('gridcell')
    .first()
    .dragTo(page.getByRole('link', { name: 'Collections' }).first());
  const collect = page.getByRole('dialog', { name: 'Add to a collection' });
  await collect.getByLabel('Name of a new collection').fill('Bitter');
  await collect.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(page.getByRole('link', { name: 'a bitter quince' })).toBeVisible();

  const find = page.getByRole('dialog', { name: 'Find' });
  await page.keyboard.press('Control+k');
  await find.getByRole('combobox').fill('quince');
  await expect(find.getByRole('option', { name: 'a bitter quince' })).toBeVisible();
  await expectAccessible(page);
  await find.getByRole('combobox').fill('Wide sk');
  await find.getByRole('option', { name: /Wide sketch/ }).click();
  await expect(page).toHaveURL(/\/create\/z_image/);
  await expect(page.getByRole('radio', { name: '21:9' })).toBeChecked();
});

test('what was pressed by keyboard keeps the focus while it waits', async ({ someone }) => {
  const { page, call } = someone;
  const { request_id } = await makePicture(someone, 'a medlar');
  expect((await call('POST', '/api/collections', { name: 'Orchard' })).status()).toBe(201);
  await page.goto(`/history?view=${request_id}`);
  const acts = page.getByRole('dialog', { name: 'Result' });
  for (const [act, name, address] of [
    ['Add to a collection', /^Orchard/, '**/api/collections/*/items'],
    ['Copy or save as…', /^JPEG/, '**/media/**'],
  ] as const) {
    await acts.getByRole('button', { name: act }).press('Enter');
    const goOn = await hold(page, address);
    const pressed = page.getByRole('dialog', { name: act.replace('…', '') }).getByRole('button', { name });
    await pressed.press('Enter');
    await expect(pressed).toBeDisabled();
    await expect(pressed).toBeFocused();
    goOn();
    await expect(pressed).toBeHidden();
  }
});

test('more results than one call takes are collected, in a new collection and in one that there is', async ({
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
  await expect(page.getByText('In “Rows”', { exact: true })).toBeVisible();
  expect(await countsOf('Rows')).toEqual([231]);
  await collect();
  await dialog.getByRole('button', { name: /^Orchard/ }).click();
  await expect(page.getByText('In “Orchard”', { exact: true })).toBeVisible();
  expect(await countsOf('Orchard')).toEqual([231]);
  // they stand in it as they do in the history
  const { items } = (await (await call('GET', `/api/collections/${id}`)).json()) as { items: RequestWire[] };
  const [newest] = await requestsOf(someone);
  expect(items[0]!.request_id).toBe(newest!.request_id);
});

test('what is typed stays until it is taken: a tag, the new name of a preset', async ({ someone }) => {
  const { page, call } = someone;
  const { request_id } = await makePicture(someone, 'a fig');
  await call('POST', '/api/presets', { name: 'Wide', architecture: 'z_image', settings: { aspect_ratio: '21:9' } });
  await page.goto(`/history/${request_id}`);
  const tags = page.getByRole('region', { name: 'Tags' });
  const tag = tags.getByLabel('Add a tag');
  await page.route('**/tags/*', route => route.abort());
  await tag.fill('fruit');
  await tag.press('Enter');
  await expect(page.getByText('The tags were not changed.', { exact: true })).toBeVisible();
  await expect(tag).toHaveValue('fruit');
  await page.unroute('**/tags/*');
  await tag.press('Enter');
  await expect(tags.getByRole('link', { name: 'fruit' })).toBeVisible();
  await expect(tag).toHaveValue('');
  // so does what is typed before that is known
  const taken = await holdAnswer(page, '**/tags/*');
  await tag.fill('ripe');
  await tag.press('Enter');
  await tag.fill('red');
  taken();
  await expect(tags.getByRole('link', { name: 'ripe' })).toBeVisible();
  await tag.press('Enter');
  await expect(tags.getByRole('link', { name: 'red' })).toBeVisible();

  await page.goto('/create/z_image');
  await page.getByRole('button', { name: 'Presets' }).click();
  const saved = page.getByRole('dialog', { name: 'Saved' });
  await saved.getByRole('button', { name: 'More: Wide' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const name = saved.getByLabel('Name', { exact: true });
  await page.route('**/api/presets/*', route => route.abort());
  await name.fill('Widest');
  await name.press('Enter');
  await expect(page.getByText('That was not saved.', { exact: true })).toBeVisible();
  await expect(name).toHaveValue('Widest');
  await page.unroute('**/api/presets/*');
  await expect(saved.getByRole('button', { name: 'Rename' })).not.toHaveAttribute('aria-busy');
  await name.press('Enter');
  await expect(saved.getByRole('button', { name: /^Widest/ })).toBeFocused();
  await expect(name).toBeHidden();
});

test('a tag that one result cannot be given is given to all others, and that is said', async ({ someone, house }) => {
  const { page } = someone;
  await makePicture(someone, 'a fig');
  await seedHistory(house.pool, someone.id, 8);
  await page.goto('/history');
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('button', { name: 'Select all loaded' }).click();
  await page.getByRole('button', { name: 'Tag', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag 9 results' });
  await dialog.getByLabel('Tag', { exact: true }).fill('orchard');
  const [first] = await requestsOf(someone);
  const error = { code: 'request_not_found', message: 'There is no such request.' };
  await page.route(`**/v1/requests/${first!.request_id}/tags/*`, route =>
    route.fulfill({ status: 404, json: { error } }),
  );
  await dialog.getByRole('button', { name: 'Give', exact: true }).last().click();
  await expect(page.getByText('1 of 9 did not get the tag.', { exact: true })).toBeVisible();
  await expect(page.getByText(error.message, { exact: true })).toBeVisible();
  await expect(dialog).toBeVisible();
  expect(await requestsOf(someone, '?tag=orchard')).toHaveLength(8);
});

test('an operator makes a result the example of its model, which everybody sees', async ({
  page,
  context,
  house,
  browser,
}) => {
  const operator = await signUp(context, house, true);
  const { request_id } = await makePicture(operator, 'a quince in the evening');
  await page.goto(`${house.baseURL}/history/${request_id}`);
  const act = page.getByRole('button', { name: 'Model example' });
  await act.click();
  await expect(act).toHaveAttribute('aria-pressed', 'true');

  const other = await browser.newContext();
  const visitor = await other.newPage();
  // who is not signed in is shown a page that may be some seconds old
  await expect(async () => {
    await visitor.goto(house.baseURL);
    await expect(visitor.getByRole('img', { name: 'a quince in the evening' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await signUp(other, house);
  await openCreate(visitor, `${house.baseURL}/create/z_image`);
  await expect(visitor.getByRole('img', { name: 'a quince in the evening' })).toBeVisible();
  await expectAccessible(visitor);
  await visitor.getByRole('button', { name: 'Begin with this prompt' }).click();
  await expect(promptField(visitor)).toHaveValue('a quince in the evening');
  await other.close();

  await act.click();
  await expect(act).toHaveAttribute('aria-pressed', 'false');
});

test('what is done in a collection stands, however fast and whatever answer comes last, also after the way back', async ({
  someone,
}) => {
  const { page, call } = someone;
  const made = [];
  for (const prompt of ['a fig', 'a plum', 'a pear']) made.push(await makePicture(someone, prompt));
  const request_ids = made.map(({ request_id }) => request_id);
  await call('POST', '/api/collections', { name: 'Orchard', request_ids });
  await page.goto('/collections');
  await page.getByRole('link', { name: /Orchard/ }).click();
  const tiles = page.locator('[data-opens]');
  await expect(tiles).toHaveCount(3);
  const act = async (prompt: string, name: string) => {
    await page.getByRole('button', { name: `More: ${prompt}` }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const release = await holdAnswer(page, '**/items');
  const moved = page.waitForResponse('**/items');
  const taken = page.waitForResponse('**/items?*');
  await act('a pear', 'To the front');
  await act('a plum', 'Take out');
  await expect(page.getByRole('status').filter({ hasText: 'a plum: taken out' })).toBeAttached();
  await expect(tiles).toHaveCount(2);
  // whoever goes on by keyboard is at the next one
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

test('a shared collection of one result has its name and its notes', async ({ someone }) => {
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

test('the way back closes what was asked over the page', async ({ someone }) => {
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

test('a collection that is removed is not there a step back, nor in a page that was open', async ({
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
  await expect(async () => {
    await other.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await expect(other.getByRole('heading', { name: 'Orchard' })).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await expect(other.getByRole('heading', { name: 'Nothing grows here.' })).toBeVisible();
});

test('what is deleted from a collection is gone from it at once and for good', async ({ someone }) => {
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
  await expect(page.getByRole('heading', { name: 'Nothing in it yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(tiles).toHaveCount(1);
});

test('a tag that is taken away by keyboard leaves the focus with the tags, also where that fails', async ({
  someone,
}) => {
  const { page, call } = someone;
  const { request_id } = await makePicture(someone, 'a fig');
  await call('PUT', `/v1/requests/${request_id}/tags/fruit`);
  await page.goto(`/history/${request_id}`);
  const tags = page.getByRole('region', { name: 'Tags' });
  const take = tags.getByRole('button', { name: 'Take the tag fruit away' });
  const error = { code: 'internal_error', message: 'It broke.' };
  await page.route('**/tags/fruit', route => route.fulfill({ status: 500, json: { error } }), { times: 1 });
  await take.press('Enter');
  await expect(page.getByText('The tags were not changed.', { exact: true })).toBeVisible();
  await expect(take).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tags.getByRole('link')).toHaveCount(0);
  await expect(tags.getByLabel('Add a tag')).toBeFocused();
});
