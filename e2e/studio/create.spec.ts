import type { Page, Route } from '@playwright/test';
import { expectAccessible } from '../page-checks.ts';
import { PASSWORD } from '../member.ts';
import { type SignedIn, signUp } from '../session.ts';
import { createButton, openCreate, promptField, results } from './create-page.ts';
import { holdAnswer } from './network.ts';
import { expect, make, requestsOf, test } from './someone.ts';
import { viewer } from './viewer.ts';

const balanceOf = async ({ call }: SignedIn): Promise<number> =>
  (await (await call('GET', '/v1/account')).json()).gems.balance;

test('each tab keeps its own draft after a reload, and a new tab starts with the latest one', async ({
  someone: { page, context },
}) => {
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('a fig');
  const other = await context.newPage();
  await openCreate(other, '/create/z_image');
  await expect(promptField(other)).toHaveValue('a fig');
  await promptField(other).fill('a plum');
  for (const [tab, words] of [
    [page, 'a fig'],
    [other, 'a plum'],
  ] as const) {
    await tab.reload();
    await expect(promptField(tab)).toHaveValue(words);
  }
});

test('an image has its price shown before, its card shown immediately, and its result shown without a reload', async ({
  someone,
}) => {
  const { page } = someone;
  await openCreate(page, '/create/z_image');
  await expectAccessible(page);
  await promptField(page).fill('A lighthouse at dusk');
  await page.getByRole('radio', { name: '1:1' }).check();
  const before = await balanceOf(someone);
  const price = Number(/\d+/.exec(await createButton(page).innerText())?.[0]);
  const sent = page.waitForRequest('**/generate');
  await createButton(page).click();
  expect((await sent).headers()['max-gems']).toBe(String(price));
  const card = results(page).getByRole('article', { name: 'A lighthouse at dusk' });
  await expect(card).toBeVisible();
  await expect(card.getByRole('img', { name: 'A lighthouse at dusk' })).toBeVisible({ timeout: 30_000 });
  const [made] = await requestsOf(someone);
  expect(made).toMatchObject({ status: 'completed', billing: { gems_charged: price } });
  expect(made?.result?.width).toBe(made?.result?.height);
  expect(await balanceOf(someone)).toBe(before - price);
  await expectAccessible(page);
});

test('a video can be created from an earlier image', async ({ someone }) => {
  const { page } = someone;
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('A boat on a lake');
  await createButton(page).click();
  await expect(results(page).getByRole('img', { name: 'A boat on a lake' })).toBeVisible({ timeout: 30_000 });
  await openCreate(page, '/create/ltx_video');
  await page.route('**/v1/uploads?*', route =>
    route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'Gone for now.' } } }),
  );
  await page.getByRole('button', { name: 'Browse the studio: First frame' }).click();
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Uploads' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Gone for now.');
  await page.getByRole('tab', { name: 'Made here' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'A boat on a lake' }).click();
  await expect(page.getByRole('button', { name: 'Remove first frame' })).toBeVisible();
  await page.getByRole('radio', { name: '240p' }).check();
  await promptField(page).fill('The boat rocks');
  await page.keyboard.press('Control+Enter');
  await expect(results(page).getByRole('img', { name: 'The boat rocks' })).toBeVisible({ timeout: 60_000 });
  const [made] = await requestsOf(someone);
  expect(made).toMatchObject({ type: 'video', status: 'completed', architecture: 'ltx_video' });
});

test('deleted, expired and pending files are not offered to a field, and older uploads can be loaded', async ({
  someone,
  house,
}) => {
  const { page, call } = someone;
  const [, over, gone] = await Promise.all(
    ['A boat that stays', 'A boat that is over', 'A boat that went'].map(prompt =>
      make(someone, 'z_image', { prompt, resolution: '1k' }),
    ),
  );
  expect((await call('DELETE', `/v1/requests/${gone!.request_id}`)).status()).toBe(204);
  await house.pool.query(
    `update requests set result = jsonb_set(result, '{expiresAt}', '"2026-01-01T00:00:00.000Z"') where id = $1`,
    [over!.request_id],
  );
  const upload = (more: object) => ({
    url: `/media/${JSON.stringify(more)}`,
    created_at: '2026-11-01T00:00:00Z',
    ...more,
  });
  const uploads = [
    upload({ file_name: 'on its way.png', status: 'pending', content_type: 'image/png' }),
    upload({ file_name: 'bell.mp3', status: 'ready', content_type: 'audio/mpeg' }),
  ];
  await page.route('**/v1/uploads?*', route => {
    const isFirst = !new URL(route.request().url()).searchParams.has('cursor');
    return route.fulfill({ json: { data: isFirst ? uploads : [], next_cursor: isFirst ? 'more' : null } });
  });
  await openCreate(page, '/create/ltx_video');
  await page.getByRole('button', { name: 'Browse the studio: First frame' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'A boat that stays' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^A boat/ })).toHaveCount(1);
  await expect(dialog.getByRole('tab', { name: 'Cast' })).toBeVisible();
  await page.getByRole('tab', { name: 'Uploads' }).click();
  await expect(dialog).toContainText('There are older ones.');
  await expect(dialog).not.toContainText('No uploads of this kind');
  await dialog.getByRole('button', { name: 'Show more' }).click();
  await expect(dialog).toContainText('No uploads of this kind');
});

test('created audio can be played and opened', async ({ someone }) => {
  const { page } = someone;
  await openCreate(page, '/create/seed_audio');
  await promptField(page).fill('Rain on a tin roof');
  await createButton(page).click();
  const card = results(page).getByRole('article', { name: 'Rain on a tin roof' });
  await card.getByRole('button', { name: 'Play' }).click({ timeout: 60_000 });
  await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await card.getByRole('link', { name: 'Open: Rain on a tin roof' }).click({ position: { x: 8, y: 8 } });
  await expect(viewer(page)).toBeVisible();
});

test('a request is charged once after a double click, a lost response and a reload', async ({ someone }) => {
  const { page } = someone;
  const keys: (string | undefined)[] = [];
  await openCreate(page, '/create/z_image');
  await page.route('**/generate', async route => {
    keys.push(route.request().headers()['idempotency-key']);
    // the server gets the request, but the answer is lost
    await route.fetch();
    await route.abort();
  });
  await promptField(page).fill('A hut in the hills');
  await createButton(page).dblclick();
  await expect(results(page).getByText('No answer yet')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await expect(results(page).getByRole('img', { name: 'A hut in the hills' })).toBeVisible({ timeout: 30_000 });
  expect(new Set(keys).size).toBe(1);
  expect(await requestsOf(someone)).toHaveLength(1);
});

test('a refusal that arrives after the form has changed is shown on the stage', async ({ someone: { page } }) => {
  const refusal = { code: 'invalid_config', message: 'The image was deleted.', issues: [] };
  await openCreate(page, '/create/z_image');
  const goOns: [string, () => Promise<unknown>][] = [
    ['A fig', () => promptField(page).fill('A fig tree')],
    ['A plum', () => page.evaluate(() => history.pushState(null, '', '/create/mango'))],
  ];
  for (const [prompt, goOn] of goOns) {
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/generate', async route => {
      await promise;
      await route.fulfill({ status: 400, json: { error: refusal } });
    });
    await promptField(page).fill(prompt);
    const asked = page.waitForRequest('**/generate');
    const place = results(page).getByRole('article', { name: prompt, exact: true });
    // retried, since a press soon after the last one counts as a double click
    await expect(async () => {
      await createButton(page).click();
      await expect(place).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await asked;
    await goOn();
    // the form of the other model is shown
    if (prompt === 'A plum') await expect(page.getByRole('heading', { level: 1 })).toContainText('Mango');
    resolve();
    await expect(place).toContainText(refusal.message);
    await expect(place.getByRole('button', { name: 'Dismiss' })).toBeVisible();
    await page.unrouteAll();
  }
  await expect(page).toHaveURL(/mango$/);
  await expect(page.locator('form#create')).not.toContainText(refusal.message);
});

test('a request that could not be sent for one account is not sent for the next one in the same browser', async ({
  someone,
  house,
}) => {
  const { page, context } = someone;
  await page.clock.install();
  await openCreate(page, '/create/z_image');
  await page.route('**/generate', route => route.abort());
  await promptField(page).fill('A secret garden');
  await createButton(page).click();
  await expect(results(page).getByText('No answer yet')).toBeVisible();
  await page.goto('about:blank');
  await signUp(context, house);
  const sent: string[] = [];
  page.on('request', request => request.url().endsWith('/generate') && sent.push(request.url()));
  await openCreate(page, '/create/z_image');
  await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible();
  await expect(promptField(page)).toHaveValue('');
  // long after the next retry would be due
  await page.clock.fastForward('05:00');
  await page.evaluate(async () => (await fetch('/healthz')).status);
  expect(sent).toEqual([]);
});

test('creating three together sends three requests with consecutive seeds', async ({ someone }) => {
  const { page } = someone;
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('Three pears');
  await page.getByText('More settings').click();
  await page.getByRole('textbox', { name: 'Seed' }).fill('41');
  await page.getByRole('radiogroup', { name: 'How many' }).getByRole('radio', { name: '3' }).check();
  await expect(createButton(page)).toContainText('30');
  await createButton(page).click();
  await expect(results(page).getByRole('img', { name: 'Three pears' })).toHaveCount(3, { timeout: 60_000 });
  const made = await requestsOf(someone);
  expect(made.map(({ result }) => result?.seed).toSorted()).toEqual([41, 42, 43]);
  // the last count is kept for another model and after a reload
  await page.getByRole('button', { name: /choose another model/ }).click();
  await page.getByRole('dialog', { name: 'Models' }).getByRole('link', { name: 'Mango' }).first().click();
  await expect(page).toHaveURL(/\/create\/mango$/);
  const three = page.getByRole('radiogroup', { name: 'How many' }).getByRole('radio', { name: '3' });
  await expect(three).toBeChecked();
  await page.reload();
  await expect(three).toBeChecked();
});

test('a request in progress is shown on another device and can be cancelled there', async ({
  idle,
  context,
  page,
  browser,
}) => {
  await signUp(context, idle);
  await openCreate(page, `${idle.baseURL}/create/melon`);
  await promptField(page).fill('A long walk');
  const accepted = page.waitForResponse('**/generate');
  await createButton(page).click();
  await accepted;
  const other = await browser.newContext({ storageState: await context.storageState(), baseURL: idle.baseURL });
  const phone = await other.newPage();
  await phone.goto('/account/profile');
  await phone.getByRole('button', { name: '1 in progress' }).click();
  await expect(phone).toHaveTitle(/^\(1\)/);
  // a page may set its title after the count was added
  await phone.evaluate(() => (document.querySelector('title')!.textContent = 'Late'));
  await expect(phone).toHaveTitle('(1) Late');
  await phone.getByRole('button', { name: 'Cancel' }).press('Enter');
  await phone.getByRole('button', { name: 'Keep it' }).press('Enter');
  await expect(phone.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await phone.getByRole('button', { name: 'Cancel' }).click();
  await expect(phone.getByText('will not be refunded')).toBeVisible();
  await phone.getByRole('button', { name: 'Stop it' }).click();
  await expect(phone.getByRole('button', { name: 'in progress' })).toHaveCount(0);
  await expect(results(page).getByText('Cancelled')).toBeVisible();
  await other.close();
});

test('the server renders the first results, and the page shows all of them without scrolling', async ({
  idle,
  context,
  page,
}) => {
  const { call } = await signUp(context, idle);
  for (const prompt of ['A fig', 'A plum', 'A quince'])
    expect((await call('POST', '/v1/z_image/generate', { prompt })).status()).toBe(202);
  const address = `${idle.baseURL}/create/z_image`;
  const drawn = await (await page.request.get(address)).text();
  expect(drawn.match(/role="group" aria-label="A (fig|plum|quince)"/g)).toHaveLength(2);
  await page.goto(address);
  await expect(results(page).getByRole('group', { name: /^A (fig|plum|quince)$/ })).toHaveCount(3);
});

// advances the clock: an idle page polls so rarely that a request of another tab could be over by then
const look = (page: Page) => page.clock.fastForward('00:16');
const balanceIn = (page: Page) => page.locator('aside a[href="/account/gems"]');

test('gems spent in another tab leave the balance while the request is in progress', async ({
  idle,
  context,
  page,
}) => {
  const account = await signUp(context, idle);
  await page.clock.install();
  await page.goto(`${idle.baseURL}/characters`);
  await expect(balanceIn(page)).toContainText('1,000');
  await account.call('POST', '/v1/mango/generate', { prompt: 'A pear', resolution: '1K' });
  await look(page);
  await expect(page.getByRole('button', { name: '1 in progress' })).toBeVisible();
  await expect(balanceIn(page)).not.toContainText('1,000');
});

test('a request accepted during a poll is included in the next poll', async ({ idle, context, page }) => {
  const account = await signUp(context, idle);
  await account.call('POST', '/v1/mango/generate', { prompt: 'A pear', resolution: '1K' });
  await page.clock.install();
  await openCreate(page, `${idle.baseURL}/create/mango`);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const holdBack = async (route: Route) => {
    const response = await route.fetch();
    ask();
    await held;
    await route.fulfill({ response });
  };
  // once only, as a later poll may still be in progress when the test ends
  await page.route('**/v1/requests?*', holdBack, { times: 1 });
  await look(page);
  await asked;
  await promptField(page).fill('A fig');
  await createButton(page).click();
  const both = page.getByRole('button', { name: '2 in progress' });
  await expect(both).toBeVisible();
  const answered = page.waitForResponse('**/v1/requests?*');
  release();
  await answered;
  const idsOf = (request: { url(): string }) => new URL(request.url()).searchParams.get('ids')?.split(',');
  // soon enough for a poll of only the known requests
  const next = page.waitForRequest(request => request.url().includes('/v1/requests?') && Boolean(idsOf(request)));
  await page.clock.fastForward('00:04');
  expect(idsOf(await next)).toHaveLength(2);
});

test('gems for a request that started and ended elsewhere between two polls leave the balance', async ({ someone }) => {
  const { page } = someone;
  await page.clock.install();
  await openCreate(page, '/create/mango');
  await expect(balanceIn(page)).toContainText('1,000');
  await make(someone, 'mango', { prompt: 'A pear', resolution: '1K' });
  await look(page);
  await expect(balanceIn(page)).not.toContainText('1,000');
});

test('when gems do not suffice, the form offers an affordable choice and says how to get more', async ({
  someone: { page, id },
  house,
}) => {
  await openCreate(page, '/create/blueberry');
  await page.getByRole('radio', { name: '4', exact: true }).last().check();
  await expect(page.getByText('This costs 1,440 gems, and you have 1,000.')).toBeVisible();
  await expect(page.getByText('Ask the operator for more gems.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add gems' })).toBeHidden();
  await page.getByRole('button', { name: 'Make 2 for 720 gems' }).click();
  await expect(createButton(page)).toContainText('720');
  await expect(createButton(page)).toBeEnabled();

  // a config that is too expensive: of the affordable settings, the page offers the most expensive
  await openCreate(page, '/create/cherry');
  await page.getByRole('radio', { name: /^1080p/ }).check();
  await expect(page.getByText('This costs 3,090 gems, and you have 1,000.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resolution 720p for 927 gems' }).click();
  await expect(page.getByRole('radio', { name: /^720p/ })).toBeChecked();
  await expect(createButton(page)).toBeEnabled();

  // where gems can be bought, the page offers that
  await house.pool.query('update accounts set top_up_limit = 5000 where id = $1', [id]);
  await page.reload();
  await page.getByRole('radio', { name: /^1080p/ }).check();
  await expect(page.getByRole('link', { name: 'Add gems' })).toBeVisible();
  await expect(page.getByText('Ask the operator for more gems.')).toBeHidden();
});

test('with auto top-up on, the form says which gems will be added, and Create adds them', async ({
  someone: { page, id, call },
  house,
}) => {
  await house.pool.query('update accounts set top_up_limit = 500 where id = $1', [id]);
  const auto_top_up = { threshold: 0, gems: 100, monthly_limit: 500 };
  expect((await call('PUT', '/api/account/auto-top-up', { auto_top_up })).ok()).toBe(true);
  await openCreate(page, '/create/blueberry');
  await page.getByRole('radio', { name: '4', exact: true }).last().check();
  await expect(page.getByText('Auto top-up adds 500 gems. 60 gems left after')).toBeVisible();
  await expectAccessible(page);
  await promptField(page).fill('A pear');
  await createButton(page).click();
  await expect(balanceIn(page)).toContainText('60');
  await expect(page.getByText('This costs 1,440 gems, and you have 60.')).toBeVisible();
});

test('an operator who lacks gems or permission is linked to the page that grants them', async ({
  page,
  context,
  house,
}) => {
  const { id } = await signUp(context, house, true);
  const own = `/admin/accounts/${id}`;
  await openCreate(page, '/create/blueberry');
  await page.getByRole('radio', { name: '4', exact: true }).last().check();
  await expect(page.getByText('This costs 1,440 gems, and you have 1,000.')).toBeVisible();
  await expect(page.getByText('Ask the operator')).toBeHidden();
  await page.getByRole('link', { name: 'Grant gems to your account' }).click();
  await expect(page).toHaveURL(own);
  await expect(page.getByRole('button', { name: 'Grant gems' })).toBeVisible();
  await page.goto('/account/gems');
  await expect(page.getByRole('link', { name: 'Grant gems to your account' })).toHaveAttribute('href', own);

  await house.pool.query('update accounts set may_generate = false where id = $1', [id]);
  await openCreate(page, '/create/z_image');
  await page.getByRole('radio', { name: '1', exact: true }).last().check();
  await promptField(page).fill('a fig');
  await createButton(page).click();
  await expect(page.getByText('The operator switched off generation for this account.')).toBeVisible();
  await expect(page.getByText('Ask the operator')).toBeHidden();
  await expect(page.getByRole('link', { name: 'Switch it on for your account.' })).toHaveAttribute('href', own);
});

test('the balance is still current after going back to the form', async ({ someone: { page } }) => {
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('A fig');
  await createButton(page).click();
  await expect(results(page).getByRole('img', { name: 'A fig' })).toBeVisible({ timeout: 30_000 });
  await expect(balanceIn(page)).toContainText('990');
  await page.getByRole('link', { name: 'History' }).first().click();
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
  await page.goBack();
  await expect(page.locator('form#create')).toContainText('left after');
  await expect(balanceIn(page)).toContainText('990');
});

test('when the settings of two results are requested, the last request fills the form', async ({ someone }) => {
  const { page } = someone;
  const { request_id } = await make(someone, 'z_image', { prompt: 'a fig' });
  await make(someone, 'z_image', { prompt: 'a plum' });
  await openCreate(page, '/create/z_image');
  const address = `**/v1/requests/${request_id}`;
  const release = await holdAnswer(page, address);
  const [asked, answered] = [page.waitForRequest(address), page.waitForResponse(address)];
  const settingsOf = (prompt: string) =>
    results(page).getByRole('group', { name: prompt, exact: true }).getByRole('link', { name: 'Use settings' }).last();
  await settingsOf('a fig').click();
  await asked;
  await settingsOf('a plum').click();
  await expect(promptField(page)).toHaveValue('a plum');
  release();
  await (await answered).finished();
  await expect(promptField(page)).toHaveValue('a plum');
});

test('without https or localhost, the page can create, and says that it cannot copy', async ({ someone: { page } }) => {
  await page.addInitScript(() => {
    // APIs that browsers do not offer without https
    Object.defineProperty(crypto, 'randomUUID', { value: undefined });
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('A fig');
  await createButton(page).click();
  await expect(results(page).getByRole('img', { name: 'A fig' })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Code' }).click();
  await page.getByRole('dialog', { name: 'As code' }).getByRole('button', { name: /^Copy/ }).click();
  await expect(page.getByText('Select and copy')).toBeVisible();
});

test('after a lost response and a sign-out, a request is not called free, and is charged once when retried', async ({
  page,
  context,
  house,
}) => {
  const { call, email } = await signUp(context, house);
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('a fig on a table');
  const loseBoth = async (route: Route) => {
    await route.fetch();
    await context.clearCookies();
    await route.abort();
  };
  await page.route('**/v1/z_image/generate', loseBoth, { times: 1 });
  await createButton(page).click();
  const tile = results(page).getByRole('article', { name: 'a fig on a table' });
  await expect(tile).toContainText('It may have been accepted. Sent again, it is charged once.');
  await expect(tile).not.toContainText('Nothing was charged');
  expect((await call('POST', '/api/session', { email, password: PASSWORD })).status()).toBe(200);
  await tile.getByRole('button', { name: 'Try again' }).click();
  await expect(tile.getByRole('img')).toBeVisible({ timeout: 30_000 });
  expect(await requestsOf({ call })).toHaveLength(1);
});

test('a refusal because of a raised price updates the price on the button, even if the server estimates it', async ({
  someone: { page },
}) => {
  await openCreate(page, '/create/mango');
  let gems = 40;
  await page.route('**/v1/mango/estimate', route =>
    route.fulfill({ json: { gems, balance: 10_000, enough: true, config: {}, mentions: [], issues: [] } }),
  );
  await page.route('**/v1/mango/generate', route => {
    const error = { code: 'price_above_limit', message: 'This generation costs more now.' };
    gems = 55;
    return route.fulfill({ status: 409, json: { error } });
  });
  await promptField(page).fill('a fig for @nobody');
  await expect(createButton(page)).toContainText('40');
  const read = page.waitForResponse('**/v1/architectures');
  await createButton(page).click();
  await expect(results(page)).toContainText('Check the price on the button');
  expect((await read).ok()).toBe(true);
  await expect(createButton(page)).toContainText('55');
});
