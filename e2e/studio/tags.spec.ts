import { expectAccessible } from '../page-checks.ts';
import { holdAnswer } from './network.ts';
import { seedHistory } from './seed-history.ts';
import { expect, makePicture, requestsOf, test } from './someone.ts';

// tags, and finding results by them

test('results are tagged, dragged to a collection and found by prompt or tag, and a preset is found by name', async ({
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
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(dialog).toBeHidden();
  // selected results are dragged together
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
  await tags.getByRole('button', { name: 'Remove the tag fruit' }).click();
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

test('a typed tag and a new preset name stay in their fields until they are saved', async ({ someone }) => {
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
  // a tag typed before the last one is saved is added too
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
  await expect(page.getByText('It was not saved.', { exact: true })).toBeVisible();
  await expect(name).toHaveValue('Widest');
  await page.unroute('**/api/presets/*');
  await expect(saved.getByRole('button', { name: 'Rename' })).not.toHaveAttribute('aria-busy');
  await name.press('Enter');
  await expect(saved.getByRole('button', { name: /^Widest/ })).toBeFocused();
  await expect(name).toBeHidden();
});

test('a tag that fails for one result is added to all others, and the failure is reported', async ({
  someone,
  house,
}) => {
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
  await dialog.getByRole('button', { name: 'Add', exact: true }).last().click();
  await expect(page.getByText('1 of 9 were not tagged.', { exact: true })).toBeVisible();
  await expect(page.getByText(error.message, { exact: true })).toBeVisible();
  await expect(dialog).toBeVisible();
  expect(await requestsOf(someone, '?tag=orchard')).toHaveLength(8);
});

test('removing a tag by keyboard keeps the focus in the tags, also when removing fails', async ({ someone }) => {
  const { page, call } = someone;
  const { request_id } = await makePicture(someone, 'a fig');
  await call('PUT', `/v1/requests/${request_id}/tags/fruit`);
  await page.goto(`/history/${request_id}`);
  const tags = page.getByRole('region', { name: 'Tags' });
  const take = tags.getByRole('button', { name: 'Remove the tag fruit' });
  const error = { code: 'internal_error', message: 'It broke.' };
  await page.route('**/tags/fruit', route => route.fulfill({ status: 500, json: { error } }), { times: 1 });
  // the list of all tags never arrives, which must not matter
  await page.route('**/api/tags', () => {});
  await take.press('Enter');
  await expect(page.getByText('The tags were not changed.', { exact: true })).toBeVisible();
  await expect(take).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tags.getByRole('link')).toHaveCount(0);
  await expect(tags.getByLabel('Add a tag')).toBeFocused();
});
