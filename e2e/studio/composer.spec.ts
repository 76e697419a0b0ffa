import { devices, type Page } from '@playwright/test';
import type { RequestWire } from '#lib/contract/schemas';
import { RETIRED } from '../fixtures.ts';
import { expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { openCreate, promptField } from './create-page.ts';
import { expect, make, test } from './someone.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const article = (page: Page, name: string) => page.getByRole('article', { name });

test('every change of the draft can be undone: typing, a setting, a reset, taking over the settings of a result', async ({
  someone,
}) => {
  const { page } = someone;
  await make(someone, 'z_image', { prompt: 'an old mill', aspect_ratio: '21:9' });
  await openCreate(page, '/create/z_image');
  await expect(promptField(page)).toBeFocused();
  await page.keyboard.type('a young orchard');
  await page.getByRole('radio', { name: '1:1' }).check();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await expect(promptField(page)).toHaveValue('');
  await expect(page.getByRole('radio', { name: '4:5' })).toBeChecked();
  await page.keyboard.press('Control+z');
  await expect(promptField(page)).toHaveValue('a young orchard');
  await expect(page.getByRole('radio', { name: '1:1' })).toBeChecked();
  await article(page, 'an old mill').hover();
  await page.getByRole('link', { name: 'Use settings' }).click();
  await expect(promptField(page)).toHaveValue('an old mill');
  await expect(page.getByRole('radio', { name: '21:9' })).toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(promptField(page)).toHaveValue('a young orchard');
  const redo = page.getByRole('button', { name: 'Redo' });
  await redo.press('Enter');
  await expect(promptField(page)).toHaveValue('an old mill');
  await expect(redo).toBeDisabled();
  await expect(redo).toBeFocused();
  await promptField(page).focus();
  await page.keyboard.press('Control+z');
  await expect(promptField(page)).toHaveValue('a young orchard');
  await page.keyboard.press('Control+y');
  await expect(promptField(page)).toHaveValue('an old mill');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await expect(promptField(page)).toHaveValue('');
});

test.describe('on a phone', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    userAgent: devices['Pixel 7'].userAgent,
  });

  test('an account without results can start from a suggested prompt, which keeps the chosen settings', async ({
    someone: { page },
  }) => {
    await page.goto('/create/ltx_video');
    await page.getByRole('button', { name: 'snow falling on a quiet forest' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Compose' });
    await expect(promptField(page)).toHaveValue('snow falling on a quiet forest');
    await sheet.getByRole('radio', { name: '9:16' }).check();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'a sailing boat at sunset' }).tap();
    await expect(promptField(page)).toHaveValue('a sailing boat at sunset');
    await expect(sheet.getByRole('radio', { name: '9:16' })).toBeChecked();
  });

  test('the composer opens as a sheet over the stage, and after Create the new group is in view', async ({
    someone,
  }) => {
    const { page } = someone;
    for (const name of ['one', 'two', 'three']) await make(someone, 'z_image', { prompt: `fig ${name}` });
    await page.goto('/create/z_image');
    await expect(article(page, 'fig three').getByRole('img')).toBeVisible();
    for (const width of [320, 360, 390, 430]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await expectAccessible(page);
    await article(page, 'fig one').scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Write a prompt' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Compose' });
    await expect(promptField(page)).toBeFocused();
    await promptField(page).fill('a bowl of plums');
    await expectAccessible(page);
    await sheet.getByRole('button', { name: /^Create/ }).tap();
    await expect(sheet).toBeHidden();
    await expect(article(page, 'a bowl of plums')).toBeInViewport({ ratio: 0.6 });
    await expect(article(page, 'a bowl of plums').getByRole('img')).toBeVisible({ timeout: 30_000 });
    // the collapsed bar creates another one with the same settings
    await page
      .getByRole('region', { name: 'Composer' })
      .getByRole('button', { name: /^Create/ })
      .tap();
    await expect(article(page, 'a bowl of plums')).toHaveCount(2);
  });

  test('Escape closes the note about mentions first, and then the sheet', async ({ someone: { page } }) => {
    await page.goto('/create/mango');
    await page.getByRole('button', { name: 'Write a prompt' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Compose' });
    await expect(promptField(page)).toBeFocused();
    await page.keyboard.type('Portrait of @an');
    const note = page.getByRole('status', { name: 'Mention' });
    await expect(note).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(note).toBeHidden();
    await expect(sheet).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
  });

  test('the sheet is closed after a visit to another page, and the bar says how many it creates', async ({
    someone: { page },
  }) => {
    await page.goto('/create/z_image');
    const bar = page.getByRole('region', { name: 'Composer' });
    await bar.getByRole('button', { name: 'Write a prompt' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Compose' });
    await promptField(page).fill('four plums');
    await sheet.getByRole('radiogroup', { name: 'How many' }).getByRole('radio', { name: '4' }).check();
    await sheet.getByRole('button', { name: 'Recipes' }).tap();
    await expect(page).toHaveURL(/\/recipes$/);
    await expect(sheet).toBeHidden();
    await page.getByRole('link', { name: 'Create' }).first().tap();
    await expect(bar.getByRole('button', { name: /^Create 4/ })).toBeVisible();
    await expect(sheet).toBeHidden();
  });

  test('the Create button in the bar is not highlighted when the balance is too low', async ({ someone: { page } }) => {
    await page.goto('/create/cherry');
    const bar = page.getByRole('region', { name: 'Composer' });
    const create = bar.getByRole('button', { name: /^Create [\d,]+ gem/ });
    const ground = () => create.evaluate(button => getComputedStyle(button).backgroundColor);
    const bright = await ground();
    await bar.getByRole('button', { name: 'Write a prompt' }).tap();
    await page.getByRole('radio', { name: /^1080p/ }).check();
    await page.getByRole('button', { name: 'Close' }).tap();
    await expect(create).toContainText('1,545');
    await expect.poll(ground).not.toBe(bright);
    // the reason is shown where the user can fix it
    await create.tap();
    await expect(page.getByText('This costs 1,545 gems, and you have 1,000.')).toBeVisible();
  });
});

test('an image can be dragged from the stage into a slot or the prompt, and sent to any model by keyboard', async ({
  someone,
}) => {
  const { page } = someone;
  await make(someone, 'z_image', { prompt: 'a portrait' });
  await openCreate(page, '/create/melon');
  const source = article(page, 'a portrait').getByRole('link', { name: 'Open' });
  await source.dragTo(page.getByText('Last frame', { exact: true }));
  await expect(page.getByRole('button', { name: 'Remove last frame' })).toBeVisible();
  await source.dragTo(promptField(page));
  await expect(promptField(page)).toHaveValue('@image1 ');
  await expect(page.locator('[data-mention="known"]')).toHaveText('@image1');
  await expect(page.getByRole('button', { name: 'Remove reference image' })).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('button', { name: 'Remove reference image' })).toBeHidden();
  await expect(promptField(page)).toHaveValue('');

  const animate = page.getByRole('group', { name: 'Actions: a portrait' }).getByRole('button', { name: 'Animate' });
  await animate.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Animate it with' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  const first = dialog.getByRole('button', { name: 'First frame of LTX Video' });
  await first.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/create\/ltx_video$/);
  await expect(page.getByRole('button', { name: 'Remove first frame' })).toBeVisible();
  // the aspect ratio follows the image, since a video of another shape would crop it
  await expect(page.getByRole('radio', { name: '4:5' })).toBeChecked();
  // when the same model takes the image, the prompt gets the focus as well
  await animate.press('Enter');
  await first.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(promptField(page)).toBeFocused();

  // dropping an image on the prompt of a model without image inputs asks which model to use
  await openCreate(page, '/create/z_image');
  await source.dragTo(promptField(page));
  await expect(page.getByRole('dialog', { name: 'Use it in' })).toBeVisible();
  await page.keyboard.press('Escape');

  // a form without a draft starts with the last prompt, as it does on its own page
  await promptField(page).fill('A windmill');
  await page.goto('/history');
  await page
    .getByRole('gridcell')
    .first()
    .dragTo(page.getByRole('link', { name: 'Create' }));
  await page
    .getByRole('dialog', { name: 'Use it in' })
    .getByRole('button', { name: 'Reference image of Mango' })
    .click();
  await expect(page).toHaveURL(/\/create\/mango$/);
  await expect(page.getByRole('button', { name: 'Remove reference image' })).toBeVisible();
  await expect(promptField(page)).toHaveValue('A windmill');
});

test('Upscale offers to restore the prompt that it removes, and other models do not start with its own', async ({
  someone,
}) => {
  const { page } = someone;
  await make(someone, 'z_image', { prompt: 'a portrait' });
  await openCreate(page, '/create/mango');
  const upscale = async () => {
    await page.getByRole('group', { name: 'Actions: a portrait' }).getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Upscale' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reference image of Mango' }).click();
  };
  await promptField(page).fill('half a sentence');
  await upscale();
  await expect(promptField(page)).toHaveValue(/^The very same image/);
  await page.getByRole('radio', { name: '16:9' }).check();
  await openCreate(page, '/create/kiwi');
  await expect(promptField(page)).toHaveValue('half a sentence');

  await page.goBack();
  await promptField(page).fill('another half');
  await upscale();
  const told = page.getByRole('region', { name: /^Notifications/ });
  await expect(told).toContainText('Your earlier prompt for Mango was removed.');
  await told.getByRole('button', { name: 'Undo' }).click();
  await expect(promptField(page)).toHaveValue('another half');
});

for (const [width, height] of [
  [1440, 900],
  [320, 640],
] as const)
  test(`the controls of a press keep their places at every price, ${width} pixels wide`, async ({
    someone: { page },
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/create/cherry');
    if (width < 1024) await page.getByRole('button', { name: 'Write a prompt' }).click();
    const many = page.getByRole('radiogroup', { name: 'How many' });
    const create = page.locator('#create button[type=submit]');
    const boxes = () => Promise.all([many.boundingBox(), create.boundingBox()]);
    await expect(create).toContainText('618');
    const before = await boxes();
    for (const [count, gems] of Object.entries({ 2: '1,236', 3: '1,854', 4: '2,472' })) {
      await many.getByRole('radio', { name: count }).check();
      await expect(create).toContainText(gems);
      expect(await boxes(), gems).toEqual(before);
    }
    await page.getByRole('radio', { name: /^1080p/ }).check();
    await page.getByLabel('Duration').selectOption('8');
    await expect(create).toContainText('12,360');
    expect(await boxes()).toEqual(before);
  });

test('a failure to load the models for a dropped image is reported and can be retried', async ({ someone }) => {
  const { page } = someone;
  await make(someone, 'z_image', { prompt: 'a portrait' });
  const error = { code: 'rate_limited', message: 'Try again in a moment.' };
  await page.route('**/v1/architectures', route => route.fulfill({ status: 429, json: { error } }), { times: 1 });
  await page.goto('/history');
  await page
    .getByRole('gridcell')
    .first()
    .dragTo(page.getByRole('link', { name: 'Create' }));
  const dialog = page.getByRole('dialog', { name: 'Use it in' });
  await expect(dialog.getByRole('alert')).toContainText('This did not load.');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByRole('button', { name: 'Reference image of Mango' })).toBeVisible();
});

test('Ctrl+Enter creates nothing in another dialog, nor while it is still held after the dialog closes', async ({
  someone: { page },
}) => {
  const sent: string[] = [];
  await page.route('**/generate', route => {
    sent.push((route.request().postDataJSON() as { prompt: string }).prompt);
    return route.abort();
  });
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('first words');
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByRole('dialog').getByRole('textbox').focus();
  await page.keyboard.down('Control');
  await page.keyboard.down('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await promptField(page).focus();
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.up('Control');
  await promptField(page).fill('other words');
  await promptField(page).press('Control+Enter');
  await expect.poll(() => sent[0]).toBe('other words');
});

test('Ctrl+Enter opens a collapsed composer when the prompt is empty, and otherwise creates', async ({
  someone: { page },
}) => {
  await page.setViewportSize({ width: 960, height: 800 });
  await page.goto('/create/z_image');
  const composer = page.getByRole('dialog', { name: 'Compose' });
  await page.getByRole('button', { name: 'Write a prompt' }).click();
  await expect(composer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(composer).toBeHidden();
  await page.keyboard.press('Control+Enter');
  await promptField(page).fill('a folded letter');
  await page.keyboard.press('Escape');
  await expect(composer).toBeHidden();
  const sent = page.waitForRequest('**/generate');
  await page.keyboard.press('Control+Enter');
  expect((await sent).postDataJSON()).toMatchObject({ prompt: 'a folded letter' });
});

test('when a model disappears while its form is open, the page is requested from the server again', async ({
  someone: { page },
}) => {
  await page.clock.install();
  await openCreate(page, '/create/z_image');
  await page.route('**/v1/architectures', async route => {
    const { architectures } = await (await route.fetch()).json();
    await route.fulfill({
      json: { architectures: architectures.filter(({ id }: { id: string }) => id !== 'z_image') },
    });
  });
  const asked = page.waitForRequest(request => 'rsc' in request.headers() && request.url().includes('/create/z_image'));
  await page.clock.fastForward('10:00');
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await asked;
});

test('a refused variation reports the reason on a page without a stage', async ({ someone }) => {
  const { page } = someone;
  const { request_id } = await make(someone, 'z_image', { prompt: 'a heron' });
  const message = 'It costs 10 gems and the account has 0.';
  await page.route('**/generate', route =>
    route.fulfill({ status: 402, json: { error: { code: 'insufficient_gems', message } } }),
  );
  await page.goto(`/history/${request_id}`);
  await page.getByRole('button', { name: 'Vary' }).click();
  await expect(page.getByText(message, { exact: true })).toBeVisible();
});

test('a retired model is reported as retired, and the settings of its requests open in the nearest model', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  const made = await call('POST', '/v1/z_image/generate', { prompt: 'kept words' });
  const { request_id } = (await made.json()) as RequestWire;
  await idle.pool.query('update requests set architecture = $2 where id = $1', [request_id, RETIRED]);
  await page.goto(`${idle.baseURL}/create/${RETIRED}?from=${request_id}`);
  await expect(page.getByRole('heading', { name: /was retired$/ })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: /^Open the settings in/ }).click();
  await expect(promptField(page)).toHaveValue('kept words');
  // a retired architecture cannot repeat the request
  await call('POST', `/v1/requests/${request_id}/cancel`);
  await page.goto(`${idle.baseURL}/history/${request_id}`);
  await expect(page.getByRole('link', { name: 'Use settings' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Vary' })).toHaveCount(0);
});
