import { expectAccessible } from '../page-checks.ts';
import { promptField } from './create-page.ts';
import { hold } from './network.ts';
import { chooseFiles, pictureFile } from './device-files.ts';
import { expect, makePicture, test, untilItListens } from './someone.ts';

test('presets, styles and past prompts fill the form, and can be undone', async ({ someone }) => {
  const { page } = someone;
  for (const prompt of ['a fig', 'a plum']) await makePicture(someone, prompt);
  await page.goto('/create/z_image');
  const prompt = promptField(page);
  await untilItListens(prompt);
  // text typed while the earlier prompts load is kept
  const release = await hold(page, '**/api/prompts*');
  const answered = page.waitForResponse('**/api/prompts*');
  await prompt.press('ArrowUp');
  await prompt.fill('a pear');
  release();
  await (await answered).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(prompt).toHaveValue('a pear');
  await prompt.fill('');
  await prompt.press('ArrowUp');
  await expect(prompt).toHaveValue('a plum');
  await prompt.press('ArrowUp');
  await expect(prompt).toHaveValue('a fig');
  await prompt.press('ArrowDown');
  await expect(prompt).toHaveValue('a plum');

  await page.getByRole('radio', { name: '21:9' }).check();
  const saved = page.getByRole('dialog', { name: 'Saved' });
  await page.getByRole('button', { name: 'Presets' }).click();
  await saved.getByLabel('Name of the preset').fill('Wide');
  await saved.getByRole('button', { name: 'Save' }).click();
  await expect(saved.getByRole('button', { name: /^Wide/ })).toBeVisible();
  await expectAccessible(page);
  await saved.getByRole('tab', { name: 'Styles' }).click();
  await saved.getByLabel('Words of the new style').fill('in soft rain');
  // the text is kept when another tab is opened or Escape is pressed
  await saved.getByRole('tab', { name: 'Presets' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await saved.getByRole('tab', { name: 'Styles' }).click();
  await expect(saved.getByLabel('Words of the new style')).toHaveValue('in soft rain');
  await saved.getByLabel('Name of the style').fill('Rainy');
  await saved.getByRole('button', { name: 'Save' }).click();
  await saved.getByRole('button', { name: /^Rainy/ }).click();
  await expect(saved.getByText('a plum, in soft rain')).toBeVisible();
  await expectAccessible(page);
  await saved.getByRole('tab', { name: 'Past prompts' }).click();
  await saved.getByRole('searchbox').fill('nothing like it');
  await expect(saved.getByText('No prompt has these words.')).toBeVisible();
  const found = await hold(page, '**/api/prompts*');
  await saved.getByRole('searchbox').fill('fig');
  await expect(saved.getByText('Searching')).toBeVisible();
  found();
  await saved.getByRole('button', { name: 'a fig' }).click();
  await expect(prompt).toBeFocused();
  await expect(prompt).toHaveValue('a fig');
  await page.keyboard.press('Control+z');
  await expect(prompt).toHaveValue('a plum, in soft rain');

  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByRole('button', { name: 'Presets' }).click();
  await expect(saved.getByLabel('Name of the preset')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Presets' }), 'nothing was chosen').toBeFocused();
  await page.getByRole('button', { name: 'Presets' }).click();
  await saved.getByRole('button', { name: 'More: Wide' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await saved.getByLabel('Name', { exact: true }).fill('Wider');
  await page.keyboard.press('Enter');
  await saved.getByRole('button', { name: /^Wider/ }).click();
  await expect(page.getByRole('radio', { name: '21:9' })).toBeChecked();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('radio', { name: '21:9' })).not.toBeChecked();
});

test('applying a preset keeps the media of the form, and keeps the prompt even if the model changes', async ({
  someone: { page, call },
}) => {
  for (const [name, architecture] of [
    ['Sharp', 'mango'],
    ['Slow', 'melon'],
    ['Loud', 'seed_audio'],
  ])
    expect((await call('POST', '/api/presets', { name, architecture, settings: { seed: 7 } })).status()).toBe(201);
  const find = async (name: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Find' }).getByRole('combobox').fill(name);
    await page.getByRole('option', { name }).click();
  };
  const choose = async (name: RegExp) => {
    await page.getByRole('button', { name: 'Presets' }).click();
    await page.getByRole('dialog', { name: 'Saved' }).getByRole('button', { name }).click();
  };
  await page.goto('/create/mango');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  const remove = page.getByRole('button', { name: 'Remove reference image' });
  await expect(remove).toBeVisible();
  await promptField(page).fill('a fig');
  const seed = page.getByRole('textbox', { name: 'Seed' });
  await page.getByText('More settings').click();
  for (const take of [() => choose(/^Sharp/), () => find('Sharp')]) {
    await seed.fill('8');
    await take();
    await expect(seed).toHaveValue('7');
    await expect(remove).toBeVisible();
    await expect(promptField(page)).toHaveValue('a fig');
  }
  await choose(/^Slow/);
  await expect(page).toHaveURL(/\/create\/melon$/);
  await expect(promptField(page)).toHaveValue('a fig');
  await find('Loud');
  await expect(page).toHaveURL(/\/create\/seed_audio$/);
  await expect(promptField(page)).toHaveValue('a fig');
  await find('Sharp');
  await expect(page).toHaveURL(/\/create\/mango$/);
  await expect(remove).toBeVisible();
  await expect(promptField(page)).toHaveValue('a fig');
});

test('two presets deleted in quick succession can each be restored by Undo', async ({ someone: { page, call } }) => {
  for (const name of ['One', 'Two'])
    await call('POST', '/api/presets', { name, architecture: 'z_image', settings: { seed: 7 } });
  await page.goto('/create/z_image');
  await page.getByRole('button', { name: 'Presets' }).click();
  const saved = page.getByRole('dialog', { name: 'Saved' });
  const goOn = await hold(page, '**/api/presets/*');
  for (const name of ['One', 'Two']) {
    await saved.getByRole('button', { name: `More: ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
  }
  goOn();
  for (const name of ['One', 'Two'])
    await expect(page.getByText(`“${name}” is deleted`, { exact: true })).toBeVisible();
  // the answers may arrive in any order
  const told = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem');
  const undo = told.getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toHaveCount(2);
  const back = page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/api/presets'));
  await told.filter({ hasText: '“Two”' }).getByRole('button', { name: 'Undo', exact: true }).click();
  expect((await back).postDataJSON()).toEqual({ name: 'Two', architecture: 'z_image', settings: { seed: 7 } });
  await told.filter({ hasText: '“One”' }).getByRole('button', { name: 'Undo', exact: true }).click();
  for (const name of ['One', 'Two']) await expect(saved.getByRole('button', { name: `More: ${name}` })).toBeVisible();
});
