import { comeBackUntil } from '../page-checks.ts';
import { openCreate, promptField } from './create-page.ts';
import { expect, open, picture, test, tile, tiles } from './history-page.ts';
import { seedHistory } from './seed-history.ts';
import { viewer } from './viewer.ts';

// a deletion hides a result immediately, can be undone for a moment, and takes effect whatever the user does next

test('a result deleted elsewhere disappears without a reload', async ({ page, member: { customer } }) => {
  for (const prompt of ['one fig', 'two figs']) await customer.generate(picture(prompt));
  const newest = await customer.generate(picture('three figs'));
  await open(page);
  await expect(tiles(page)).toHaveCount(3);
  expect((await customer.api.delete(`/v1/requests/${newest.request_id}`)).status()).toBe(204);
  await expect(tile(page, 'three figs')).toBeHidden({ timeout: 40_000 });
  await expect(tiles(page)).toHaveCount(2);
});

test('deletions and changes made elsewhere also appear in a filtered list', async ({ page, member: { customer } }) => {
  const [fig, plum] = [await customer.generate(picture('a fig')), await customer.generate(picture('a plum'))];
  for (const { request_id } of [fig, plum])
    expect((await customer.api.put(`/v1/requests/${request_id}/favourite`)).status()).toBe(200);
  await open(page, '/history?favourite=true');
  await expect(tiles(page)).toHaveCount(2);
  expect((await customer.api.delete(`/v1/requests/${fig.request_id}`)).status()).toBe(204);
  expect((await customer.api.delete(`/v1/requests/${plum.request_id}/favourite`)).status()).toBe(200);
  await comeBackUntil(page, options => expect(tile(page, 'a fig')).toBeHidden(options));
  // a tile in view stays until the user leaves the list
  await expect(page.getByRole('button', { name: 'Favourite: a plum' })).toHaveAttribute('aria-pressed', 'false');
});

test('the rest of a selection can be collected when one of its results was deleted elsewhere', async ({
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
  await expect(page.getByText('Added to “Figs”', { exact: true })).toBeVisible();
  await expect(tiles(page)).toHaveCount(2);
});

test('loading the rest of a list shows no result twice after deletions elsewhere', async ({ page, house, member }) => {
  const { customer, accountId } = member;
  const { request_id } = await customer.generate(picture('a fig'));
  await seedHistory(house.pool, accountId, 60);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  const [, second, third] = (await customer.list('')).data;
  for (const id of [request_id, second!.request_id, third!.request_id])
    expect((await customer.api.delete(`/v1/requests/${id}`)).status()).toBe(204);
  const gone = page.locator(`[data-opens="${third!.request_id}"]`);
  await comeBackUntil(page, options => expect(gone).toHaveCount(0, options));
  await page.locator('[data-tile="0"]').focus();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.locator('[data-tile="57"]')).toBeFocused({ timeout: 500 });
  }).toPass();
  await expect(page.locator('[data-tile="58"]')).toHaveCount(0);
});

test('holding Delete deletes one result, and one Undo restores all results deleted in a row', async ({
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

test('holding Ctrl+Z restores a deleted result without undoing changes of the draft', async ({
  page,
  member: { customer },
}) => {
  await customer.generate(picture('a fig'));
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('four quinces');
  const made = page.getByRole('article');
  await made.hover();
  await made.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(made).toHaveCount(0);
  await page.getByRole('main').focus();
  await page.keyboard.down('ControlOrMeta');
  for (let n = 0; n < 4; n++) await page.keyboard.down('z');
  await page.keyboard.up('z');
  await expect(made).toHaveCount(1);
  await expect(promptField(page)).toHaveValue('four quinces');
  await page.keyboard.press('z');
  await page.keyboard.up('ControlOrMeta');
  await expect(promptField(page)).toHaveValue('');
});

test('deleting all loaded results loads the rest of the list', async ({ page, member, house }) => {
  const { customer, accountId } = member;
  await customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, accountId, 400);
  await open(page);
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('button', { name: 'Select all loaded' }).click();
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(page.getByText('A zip holds 200 results.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: /^Delete \d+$/ }).click();
  await expect(page.getByText(/^\d+ deleted$/)).toBeVisible();
  await expect(tiles(page).first()).toBeVisible();
});

test('a deletion of many results is completed even if the user leaves the page immediately', async ({
  page,
  member,
  house,
}) => {
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

test('a refused deletion is reported, and its result is shown again', async ({ page, member: { customer } }) => {
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
  // the message names the result, since the user may be viewing another one by then
  await expect(page.getByText('“a fig on a table” was not deleted.', { exact: true })).toBeVisible();
  await expect(page.getByText(error.message, { exact: true })).toBeVisible();
  await expect(tile(page, 'a fig')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(tiles(page)).toHaveCount(1);
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
});

test('a deletion is completed even if the user signs out immediately', async ({ page, member, house }) => {
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
