import { randomUUID } from 'node:crypto';
import type { Locator } from '@playwright/test';
import type { CatalogEntry } from '#lib/contract/catalog-entry';
import type { EstimateWire } from '#lib/contract/schemas';
import { expectAccessible } from '../page-checks.ts';
import { createButton, openCreate, promptField, results } from './create-page.ts';
import { chooseFiles, pictureAddress, pictureFile } from './device-files.ts';
import { hold } from './network.ts';
import { expect, freshName, make, requestsOf, test } from './someone.ts';

test('the compiled validator works under the content security policy', async ({ someone }) => {
  const { page } = someone;
  const compiled = page.waitForResponse(/studio-validators/);
  await openCreate(page, '/create/mango');
  await compiled;
  await createButton(page).click();
  await expect(page.getByText('Say what to make.')).toBeVisible();
  await expect(promptField(page)).toBeFocused();
  await expect(promptField(page)).toHaveAttribute('aria-invalid', 'true');
  expect(await requestsOf(someone)).toEqual([]);
});

test('pressing Create opens collapsed settings that contain an error and focuses the field', async ({ someone }) => {
  const { page } = someone;
  const compiled = page.waitForResponse(/studio-validators/);
  await openCreate(page, '/create/seed_audio');
  await compiled;
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByLabel('Fill the form from code').fill('{"prompt": "rain", "pitch_rate": 20}');
  await page.getByRole('button', { name: 'Fill the form' }).click();
  await expect(promptField(page)).toHaveValue('rain');
  const pitch = page.getByRole('slider', { name: 'Pitch rate' });
  await expect(pitch).toBeHidden();
  for (const _ of ['closed', 'closed again']) {
    await createButton(page).click();
    await expect(pitch).toBeFocused();
    await expect(page.getByRole('alert').filter({ hasText: 'At most 12.' })).toBeVisible();
    await page.getByText('More settings').click();
    await expect(pitch).toBeHidden();
  }

  // a changed default has a reset button, and an error from the server is shown at the field as well
  await page.getByText('More settings').click();
  const reset = page.getByRole('button', { name: 'Reset Pitch rate' });
  await reset.click();
  await expect(reset).toBeHidden();
  // a slider has no native undo
  await pitch.focus();
  await page.keyboard.press('Control+z');
  await reset.click();
  const rate = page.getByLabel('Sample rate');
  await rate.fill('96000');
  await openCreate(page, '/create/seed_audio');
  await expect(rate).toBeHidden();
  await createButton(page).click();
  await expect(rate).toBeFocused();
  await rate.fill('44100');
  await page.getByText('More settings').click();
  const issues = [{ path: '/sample_rate', message: 'Not today.' }];
  await page.route('**/generate', route =>
    route.fulfill({ status: 400, json: { error: { code: 'invalid_config', message: 'Not today.', issues } } }),
  );
  await createButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not today.' })).toBeVisible();
  expect(await requestsOf(someone)).toEqual([]);
});

test('a model can still be used when its schema changes while its form is open', async ({ someone }) => {
  const { page } = someone;
  await page.clock.install();
  const compiled = page.waitForResponse(/studio-validators/);
  await openCreate(page, '/create/z_image');
  await compiled;
  await page.route('**/v1/architectures', async route => {
    const response = await route.fetch();
    const catalog = (await response.json()) as { architectures: CatalogEntry[] };
    for (const { input_schema } of catalog.architectures)
      if (input_schema.properties.aspect_ratio) input_schema.properties.aspect_ratio.title = 'Proportions';
    await route.fulfill({ response, json: catalog });
  });
  await page.clock.fastForward('06:00');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(page.getByRole('radiogroup', { name: 'Proportions' })).toBeVisible();
  await promptField(page).fill('A fig');
  await createButton(page).click();
  await expect(results(page).getByRole('article', { name: 'A fig' })).toBeVisible();
});

test('the form can be shown as code, and filled from pasted code or a dropped file', async ({ someone }) => {
  const { page } = someone;
  await openCreate(page, '/create/z_image');
  await promptField(page).fill("A fox's den");
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('/v1/z_image/generate');
  await expect(page.getByRole('dialog')).toContainText('den');
  await expectAccessible(page);
  // what cannot be used stays in the panel
  const unknown = `curl http://x/v1/nothing/generate -d '{"prompt": "Two owls"}'`;
  await page.getByLabel('Fill the form from code').fill(unknown);
  await page.getByRole('button', { name: 'Fill the form' }).click();
  await expect(page.getByText('There is no model nothing here.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Fill the form from code')).toHaveValue(unknown);
  await page
    .getByLabel('Fill the form from code')
    .fill(`curl -X POST http://x/v1/mango/generate -d '{"prompt": "Two owls", "aspect_ratio": "21:9", "seed": 7}'`);
  await page.getByRole('button', { name: 'Fill the form' }).click();
  await expect(page).toHaveURL(/\/create\/mango$/);
  await expect(promptField(page)).toHaveValue('Two owls');
  await expect(page.getByRole('radio', { name: '21:9' })).toBeChecked();
  await page.getByText('More settings').click();
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('7');
  // undo restores the previous form and its values
  const told = page.getByRole('region', { name: /^Notifications/ });
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(page).toHaveURL(/\/create\/z_image$/);
  await expect(promptField(page)).toHaveValue("A fox's den");
  await openCreate(page, '/create/mango');
  await expect(page.getByRole('radio', { name: '21:9' })).not.toBeChecked();

  await openCreate(page, '/create/kiwi');
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page
    .getByLabel('Fill the form from code')
    .fill('{"prompt": "An owl wakes", "image": "https://example.com/owl.png", "resolution": "4K"}');
  await page.getByRole('button', { name: 'Fill the form' }).click();
  await expect(promptField(page)).toHaveValue('An owl wakes');
  const notice = page.getByRole('region', { name: /^Notifications/ });
  await expect(notice).toContainText('"image" is no field of kiwi and was ignored; the nearest field is first_image.');
  await expect(notice).toContainText('resolution must be one of "480p", "720p", "1080p"; it is "4K".');
  expect(await requestsOf(someone)).toEqual([]);

  await openCreate(page, '/create/z_image');
  await promptField(page).fill('A windmill');
  await page.getByRole('radio', { name: '1:1' }).check();
  await createButton(page).click();
  const picture = results(page).getByRole('img', { name: 'A windmill' });
  await expect(picture).toBeVisible({ timeout: 30_000 });
  const address = (await requestsOf(someone))[0]?.result?.url ?? '';
  await promptField(page).fill('something else');
  await page.getByRole('radio', { name: '16:9' }).check();
  await page.evaluate(async url => {
    const file = new File([await (await fetch(url)).blob()], 'windmill.png', { type: 'image/png' });
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  }, address);
  await expect(promptField(page)).toHaveValue('A windmill');
  await expect(page.getByRole('radio', { name: '1:1' })).toBeChecked();
  await page.getByText('More settings').click();
  await expect(page.getByRole('textbox', { name: 'Seed' })).not.toHaveValue('');
});

test('mentions are suggested while typing, highlighted and counted, and unknown handles are marked', async ({
  someone: { page, call },
}) => {
  const image = await pictureAddress();
  const named = { name: 'Ana Plum', handle: `ana-${randomUUID().slice(0, 6)}`, image };
  const saved = await call('POST', '/v1/characters', named);
  const { handle } = (await saved.json()) as { handle: string };
  // lists elsewhere show the newest first
  expect((await call('POST', '/v1/characters', { name: 'Diana Fig', image })).status()).toBe(201);
  await openCreate(page, '/create/mango');
  await promptField(page).pressSequentially('Portrait of @ana');
  // a match at the beginning of a handle comes first
  await expect(page.getByRole('option')).toHaveText([/^Ana Plum/, /^Diana Fig/]);
  for (const [key, name] of [
    ['ArrowUp', 'Diana Fig'],
    ['ArrowDown', 'Ana Plum'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(page.getByRole('option', { selected: true })).toContainText(name);
  }
  await expectAccessible(page);
  const asked = page.waitForResponse(
    response => response.url().includes('estimate') && response.request().postData()!.includes(`@${handle}`),
  );
  await page.keyboard.press('Enter');
  await expect(promptField(page)).toHaveValue(`Portrait of @${handle} `);
  await expect(page.locator('[data-mention="known"]')).toHaveText(`@${handle}`);
  await expect(page.getByText('1 of 10 images')).toBeVisible();
  expect(((await (await asked).json()) as EstimateWire).mentions).toMatchObject([{ handle, kind: 'character' }]);
  // suggestions also work inside an existing handle
  await promptField(page).fill(`@${handle.replace('n', '')} and a heron`);
  await promptField(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 2));
  await page.keyboard.type('n');
  await page.getByRole('option', { name: /Ana Plum/ }).click();
  await expect(promptField(page)).toHaveValue(`@${handle} and a heron`);
  await promptField(page).fill(`Portrait of @${handle}-, not café@${handle} `);
  await expect(page.locator('[data-mention]')).toHaveText([`@${handle}`]);
  await expect(page.locator('[data-mention="known"]')).toHaveCount(1);
  await promptField(page).pressSequentially('and @nobody-here ');
  await expect(page.locator('[data-mention="unknown"]')).toHaveText('@nobody-here');
  await expect(page.getByText(/@nobody-here is neither/)).toBeVisible();
});

test('the suggestions follow a mention that wraps to the next line', async ({ someone: { page, call } }) => {
  const named = { name: 'Ana Plum', handle: freshName().toLowerCase(), image: await pictureAddress() };
  expect((await call('POST', '/v1/characters', named)).status()).toBe(201);
  await openCreate(page, '/create/mango');
  const mention = page.locator('[data-mention]');
  const topOf = async (place: Locator) => (await place.boundingBox())!.y;
  const [start, rest] = [named.handle.slice(0, 1), named.handle.slice(1, -1)];
  await promptField(page).pressSequentially(`@${start}`);
  const first = await topOf(mention);
  // as many letters as the first line holds beside the beginning of the mention
  for (let count = 40, top = Infinity; top > first; count--) {
    await promptField(page).fill(`${'w'.repeat(count)} @${start}`);
    top = await topOf(mention);
  }
  await expect(page.getByRole('option', { name: /Ana Plum/ })).toBeVisible();
  await promptField(page).pressSequentially(rest);
  await expect(mention).toHaveText(`@${start}${rest}`);
  const { y, height } = (await mention.boundingBox())!;
  expect(y).toBeGreaterThan(first);
  expect(await topOf(page.getByRole('listbox', { name: 'Mention' }))).toBeGreaterThanOrEqual(y + height);
});

test('moving the caret past a mention opens no suggestions and does not block keys', async ({
  someone: { page, call },
}) => {
  const named = { name: 'Ana Plum', handle: `ana-${randomUUID().slice(0, 6)}`, image: await pictureAddress() };
  expect((await call('POST', '/v1/characters', named)).status()).toBe(201);
  await openCreate(page, '/create/mango');
  const caret = () => promptField(page).evaluate((field: HTMLTextAreaElement) => field.selectionStart);
  const offered = page.getByRole('option', { name: /Ana Plum/ });
  await promptField(page).fill('one\n@ana');
  await expect(offered).toBeVisible();
  // Shift+Tab leaves the field
  await page.keyboard.press('Shift+Tab');
  await expect(promptField(page)).not.toBeFocused();
  await expect(promptField(page)).toHaveValue('one\n@ana');
  await promptField(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  expect(await caret()).toBeLessThan(4);
  await expect(offered).toBeHidden();
  // typing at the mention opens the suggestions again
  await page.keyboard.press('Control+End');
  await page.keyboard.press('-');
  await expect(offered).toBeVisible();
});

test('typing @ without saved characters says so and links to the pages that create them', async ({
  someone: { page },
}) => {
  await openCreate(page, '/create/mango');
  await promptField(page).pressSequentially('Portrait of @an');
  const note = page.getByRole('status', { name: 'Mention' });
  await expect(note).toContainText('None saved yet.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(note).toBeHidden();
  await page.keyboard.type('a');
  await expect(note.getByRole('link')).toHaveText(['Characters', 'References']);
  // the note does not intercept typing, and Tab moves into it
  await page.keyboard.press('Tab');
  await expect(note.getByRole('link', { name: 'Characters' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(note).toBeHidden();
  await expect(promptField(page)).toBeFocused();
  await page.keyboard.type('b');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/characters/);
  // a model without mentions shows no note
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('');
  await promptField(page).pressSequentially('Portrait of @an');
  await expect(page.locator('[data-mention]')).toHaveText('@an');
  await expect(note).toBeHidden();
});

test('fields focused with Tab are not covered by the Create button', async ({ someone: { page } }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openCreate(page, '/create/mango');
  const button = (await createButton(page).boundingBox())!;
  const code = page.getByRole('button', { name: 'Code', exact: true });
  const isAt = (one: Locator) => one.evaluate(element => element === document.activeElement);
  await promptField(page).focus();
  while (!(await isAt(code))) {
    await page.keyboard.press('Tab');
    await expect
      .poll(async () => (await page.locator('*:focus').boundingBox())!.y, await page.locator('*:focus').innerText())
      .toBeLessThan(button.y - 24);
  }
});

test('an unknown handle is checked again after returning to the form from another page', async ({
  someone: { page, call },
}) => {
  const handle = freshName().toLowerCase();
  await openCreate(page, '/create/mango');
  await promptField(page).fill(`a fig for @${handle}`);
  await expect(page.getByText('Correct what is marked above.')).toBeVisible();
  await page.getByRole('link', { name: 'History', exact: true }).first().click();
  await expect(page).toHaveURL(/history/);
  const image = await pictureAddress();
  expect((await call('POST', '/v1/characters', { name: 'Ana Plum', handle, image })).status()).toBe(201);
  await page.goBack();
  await expect(createButton(page)).toBeEnabled();
});

test('a handle created in another tab is recognised when this tab becomes visible', async ({
  someone: { page, call },
}) => {
  const handle = freshName().toLowerCase();
  await openCreate(page, '/create/mango');
  await promptField(page).fill(`@${handle} with a fig`);
  await expect(page.locator('[data-mention="unknown"]')).toBeVisible();
  await expect(page.getByText('Correct what is marked above.')).toBeVisible();
  const image = await pictureAddress();
  expect((await call('POST', '/v1/characters', { name: 'Ana Plum', handle, image })).status()).toBe(201);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await expect(page.locator('[data-mention="known"]')).toBeVisible();
  await expect(createButton(page)).toBeEnabled();
});

test('on a phone, using a result as a reference for the current model opens its form', async ({ someone }) => {
  const { page } = someone;
  await make(someone, 'z_image', { prompt: 'a fig on a table' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/create/mango');
  await page.goto('/create');
  const sheet = page.getByRole('dialog', { name: 'Compose' });
  await page.getByRole('button', { name: 'Write a prompt' }).click();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('region', { name: 'Results' }).getByRole('article').first().getByRole('link').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Use as reference' }).click();
  await page.getByRole('button', { name: 'Reference image of Mango' }).first().click();
  await expect(page).toHaveURL(/create\/mango$/);
  await expect(sheet.getByRole('button', { name: 'Remove reference image' })).toBeVisible();
});

test('the prompt carries over to another model of the same media type, and Undo restores the previous one', async ({
  someone: { page },
}) => {
  const choose = async (model: string) => {
    await page.getByRole('button', { name: /choose another model/ }).click();
    await page.getByRole('dialog', { name: 'Models' }).getByRole('link', { name: model }).first().click();
  };
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('an early fig');
  await choose('Kiwi');
  await expect(page).toHaveURL(/kiwi$/);
  await expect(promptField(page)).toHaveValue('an early fig');
  await promptField(page).fill('a fig falls');
  await choose('Z-Image');
  // prompts of images and of videos are remembered separately
  await expect(promptField(page)).toHaveValue('an early fig');
  await choose('Anima');
  await expect(page).toHaveURL(/anima$/);
  await promptField(page).fill('a late fig');
  await choose('Z-Image');
  await expect(promptField(page)).toHaveValue('a late fig');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(promptField(page)).toHaveValue('an early fig');
});

test('Enter in the model search chooses the first match', async ({ someone: { page } }) => {
  await openCreate(page, '/create/z_image');
  await page.getByRole('button', { name: /choose another model/ }).click();
  const words = page.getByRole('searchbox', { name: 'Search models' });
  await words.press('Enter');
  await words.fill('first frame');
  await words.press('Enter');
  await expect(page).toHaveURL(/\/create\/kiwi$/);
  await expect(words).toBeHidden();
});

test('a variant limits the options of the form, and settings are kept when the form is opened again', async ({
  someone,
}) => {
  const { page } = someone;
  await openCreate(page, '/create/mango');
  const resolution = page.getByRole('radiogroup', { name: 'Resolution' });
  await expect(resolution.getByRole('radio')).toHaveCount(2);
  await page.getByRole('radio', { name: 'mango-v2', exact: true }).check();
  await expect(resolution.getByRole('radio')).toHaveCount(3);
  await resolution.getByRole('radio', { name: '4K' }).check();
  await promptField(page).fill('Kept');
  await openCreate(page, '/create/melon');
  const chosen = async () => (await someone.context.cookies()).find(({ name }) => name === 'last_architecture')?.value;
  await expect.poll(chosen).toBe('melon');
  await openCreate(page, '/create');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Melon');
  await openCreate(page, '/create/mango');
  await expect(promptField(page)).toHaveValue('Kept');
  await expect(resolution.getByRole('radio', { name: '4K' })).toBeChecked();
  await page.getByRole('radio', { name: 'mango', exact: true }).check();
  await expect(resolution.getByRole('radio', { name: '2K' })).toBeChecked();
});

test('the saved draft is restored before the form accepts input', async ({ someone: { page } }) => {
  await openCreate(page, '/create/mango');
  await promptField(page).fill('Kept');
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const field = document.querySelector('textarea');
      if (!field || field.closest('[inert]')) return;
      document.documentElement.dataset.heard = field.value;
      observer.disconnect();
    }).observe(document, { subtree: true, attributeFilter: ['inert'] });
  });
  await openCreate(page, '/create/mango');
  await expect(page.locator('html')).toHaveAttribute('data-heard', 'Kept');
});

test('Enter during input method composition does not choose a suggested mention', async ({
  someone: { page, call },
}) => {
  const named = { name: 'Ana Plum', handle: `ana-${randomUUID().slice(0, 6)}`, image: await pictureAddress() };
  expect((await call('POST', '/v1/characters', named)).status()).toBe(201);
  await openCreate(page, '/create/mango');
  await promptField(page).pressSequentially('Portrait of @ana');
  await expect(page.getByRole('option', { name: /Ana Plum/ })).toBeVisible();
  await promptField(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await expect(promptField(page)).toHaveValue('Portrait of @ana');
  await promptField(page).press('Enter');
  await expect(promptField(page)).toHaveValue(`Portrait of @${named.handle} `);
});

test('when a focused remove or reset button disappears, the focus moves to its field', async ({
  someone: { page },
}) => {
  await openCreate(page, '/create/mango');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  await page.getByRole('button', { name: 'Remove reference image' }).press('Enter');
  await expect(page.getByLabel('Reference image: choose a file')).toBeFocused();

  await openCreate(page, '/create/seed_audio');
  await page.getByText('More settings').click();
  const rate = page.getByRole('slider', { name: 'Pitch rate' });
  await rate.press('ArrowRight');
  await page.getByRole('button', { name: 'Reset Pitch rate' }).press('Enter');
  await expect(rate).toBeFocused();
});

test('while offline, the price on the button follows the current settings', async ({ someone: { page, context } }) => {
  await page.clock.install();
  await openCreate(page, '/create/mango');
  const priced = page.waitForResponse(/estimate/);
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  await priced;
  await context.setOffline(true);
  const before = await createButton(page).innerText();
  await page.getByRole('radio', { name: /^1K/ }).check();
  // waits until the debounce is over and the page is drawn
  await page.clock.runFor(2_000);
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await createButton(page).innerText()).not.toBe(before);
});

test('a known price stays on the button while it is requested again', async ({ someone: { page } }) => {
  await page.clock.install();
  await openCreate(page, '/create/mango');
  await page.route('**/estimate', async route => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as EstimateWire), gems: 77 } });
  });
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  await expect(page.getByRole('button', { name: 'Remove reference image' })).toBeVisible();
  await page.clock.runFor(2_000);
  await expect(createButton(page)).toContainText('77');
  await hold(page, '**/estimate');
  await page.clock.fastForward(31_000);
  const asked = page.waitForRequest('**/estimate');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await asked;
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(createButton(page)).toContainText('77');
});

test('an error about a group of choices is its accessible description', async ({ someone: { page } }) => {
  const issues = ['/aspect_ratio', '/resolution'].map(path => ({ path, message: 'Not today.' }));
  await page.route('**/generate', route =>
    route.fulfill({ status: 400, json: { error: { code: 'invalid_config', message: 'Not today.', issues } } }),
  );
  await openCreate(page, '/create/mango');
  await promptField(page).fill('A fig');
  await createButton(page).click();
  for (const name of ['Aspect ratio', 'Resolution']) {
    const choice = page.getByRole('radiogroup', { name });
    await expect(choice).toHaveAttribute('aria-invalid', 'true');
    await expect(choice).toHaveAccessibleDescription(/^Not today\./);
  }
  await expectAccessible(page);
});

test('a refused request can be sent again, but not while the estimate reports an error', async ({
  someone: { page },
}) => {
  let sent = 0;
  const issues = [{ path: '/prompt', message: 'Not today.' }];
  await page.route('**/generate', route => {
    sent++;
    return route.fulfill({ status: 400, json: { error: { code: 'invalid_config', message: 'Not today.', issues } } });
  });
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('A fig');
  await createButton(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Not today.' })).toBeVisible();
  await expect(createButton(page)).toBeEnabled();
  // a press right after the first would count as a double click
  await expect(async () => {
    await createButton(page).click();
    expect(sent).toBe(2);
  }).toPass();
  await expect(page.getByRole('alert').filter({ hasText: 'Not today.' })).toBeVisible();

  await openCreate(page, '/create/mango');
  await promptField(page).fill('@nobody-here and a fig');
  await expect(page.getByText('Correct what is marked above.')).toBeVisible();
  await expect(createButton(page)).toBeDisabled();
});
