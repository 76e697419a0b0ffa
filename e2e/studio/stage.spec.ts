import { devices, type Locator, type Page } from '@playwright/test';
import { expectAccessible, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { createButton, openCreate, promptField, results } from './create-page.ts';
import { seedHistory } from './seed-history.ts';
import { expect, make, requestsOf, type Someone, test, untilItListens } from './someone.ts';
import { viewer } from './viewer.ts';

test.use({ viewport: { width: 1440, height: 900 } });

const group = (page: Page, prompt: string) => results(page).getByRole('group', { name: prompt, exact: true });
const pictures = (page: Page, prompt: string) => group(page, prompt).getByRole('img', { name: prompt });

const open = (page: Page, path = '/create/z_image') => openCreate(page, path);

/** Presses Create for `count` requests. */
async function press(page: Page, prompt: string, count = 1) {
  await promptField(page).fill(prompt);
  await page
    .getByRole('radiogroup', { name: 'How many' })
    .getByRole('radio', { name: String(count) })
    .check();
  await page.keyboard.press('Control+Enter');
  await expect(group(page, prompt)).toBeVisible();
}

const makePicture = (someone: Someone, prompt: string) => make(someone, 'z_image', { prompt });

const boxOf = async (locator: Locator) => (await locator.boundingBox())!;
/** Measures all tiles in one step, since a pending tile is replaced by the one of its request. */
const boxesOf = (locator: Locator) =>
  locator.evaluate(all =>
    [...all.querySelectorAll('article')].map(place => {
      const { x, y, width, height } = place.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );

test('one press makes one group, whose tiles keep their size and order when results and other groups arrive', async ({
  someone: { page },
}) => {
  await open(page);
  await press(page, 'four figs', 4);
  const places = group(page, 'four figs').getByRole('article');
  await expect(places).toHaveCount(4);
  const before = await boxesOf(group(page, 'four figs'));
  await expect(pictures(page, 'four figs')).toHaveCount(4, { timeout: 30_000 });
  expect(await boxesOf(group(page, 'four figs'))).toEqual(before);
  // two rows of two
  expect(new Set(before.map(({ x }) => x)).size).toBe(2);
  expect(new Set(before.map(({ y }) => y)).size).toBe(2);

  const sourcesOf = () =>
    pictures(page, 'four figs').evaluateAll(all => all.map(img => (img as HTMLImageElement).currentSrc));
  // images in the DOM may not have started to load yet
  await expect.poll(sourcesOf).not.toContain('');
  const sources = await sourcesOf();
  await press(page, 'one pear');
  await expect(pictures(page, 'one pear')).toBeVisible({ timeout: 30_000 });
  const after = await boxesOf(group(page, 'four figs'));
  const down = after[0]!.y - before[0]!.y;
  expect(after.map(box => ({ ...box, y: box.y - down }))).toEqual(before);
  // the newest group comes first and is in view
  expect(down).toBeGreaterThan(0);
  expect((await boxOf(group(page, 'one pear'))).y).toBeLessThan(60);

  await page.reload();
  await expect(pictures(page, 'four figs')).toHaveCount(4);
  expect(await sourcesOf()).toEqual(sources);
});

test('the stage fills two thirds of the width, an image is at least 560 pixels high, and four are as high as one', async ({
  someone,
}) => {
  const { page } = someone;
  await makePicture(someone, 'one fig');
  await open(page);
  const stage = await boxOf(results(page));
  expect(stage.width / 1440).toBeGreaterThan(0.65);
  const one = await boxOf(group(page, 'one fig').getByRole('article'));
  expect(one.height).toBeGreaterThanOrEqual(560);
  await press(page, 'four pears', 4);
  await expect(group(page, 'four pears').getByRole('article')).toHaveCount(4);
  const boxes = await boxesOf(group(page, 'four pears'));
  const height = Math.max(...boxes.map(({ y, height: own }) => y + own)) - Math.min(...boxes.map(({ y }) => y));
  expect(Math.abs(height - one.height)).toBeLessThan(1);
  // the loaded rendition is large enough and not scaled up
  const [shown, natural] = await pictures(page, 'one fig').evaluate((img: HTMLImageElement) => [
    img.clientWidth,
    img.naturalWidth,
  ]);
  expect(natural).toBeGreaterThanOrEqual(shown);
});

test('a result opens in place by click, Enter or Space, arrows browse, and closing returns the focus to its tile', async ({
  someone,
}) => {
  const { page } = someone;
  for (const prompt of ['the oldest', 'the middle one', 'the newest']) await makePicture(someone, prompt);
  await open(page);
  const link = (prompt: string) => page.getByRole('link', { name: `Open: ${prompt}` });
  await link('the newest').click({ position: { x: 300, y: 200 } });
  await expect(viewer(page).getByRole('img', { name: 'the newest' })).toBeVisible();
  await expect(page).toHaveURL(/\/create\/z_image\?view=/);
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page).getByRole('img', { name: 'the oldest' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  for (const key of ['Enter', ' ']) {
    await expect(link('the oldest')).toBeFocused();
    await page.keyboard.press(key);
    await expect(viewer(page).getByRole('img', { name: 'the oldest' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(viewer(page)).toBeHidden();
  }
});

test('the tile of a result far down, reached with the arrow keys, gets the focus when the viewer closes', async ({
  someone,
  house,
}) => {
  const { page } = someone;
  await makePicture(someone, 'a fig');
  await seedHistory(house.pool, someone.id, 30);
  await open(page);
  await page.getByRole('link', { name: 'Open: a fig', exact: true }).press('Enter');
  await expect(viewer(page).getByRole('img')).toBeVisible();
  for (let number = 1; number <= 15; number++) {
    await page.keyboard.press('ArrowRight');
    await expect(viewer(page).getByRole('img', { name: `a fig, number ${number}`, exact: true })).toBeVisible();
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('link', { name: 'Open: a fig, number 15' })).toBeFocused();
});

test('two presses of the same prompt are accessible', async ({ someone }) => {
  const { page } = someone;
  await makePicture(someone, 'a fig');
  await make(someone, 'z_image', { prompt: 'a fig', aspect_ratio: '16:9' });
  await open(page);
  await expect(group(page, 'a fig')).toHaveCount(2);
  await expectAccessible(page);
});

test('the seed of a result is visible below it until it has faded in', async ({ someone: { page } }) => {
  await open(page);
  const animations = await page.context().newCDPSession(page);
  await animations.send('Animation.enable');
  await animations.send('Animation.setPlaybackRate', { playbackRate: 0 });
  await press(page, 'a fig');
  const place = group(page, 'a fig').getByRole('article');
  const loaded = place.locator('.animate-develop');
  const seed = place.locator('.seedling');
  await expect(loaded).toBeAttached({ timeout: 30_000 });
  await expect(seed).toHaveCSS('visibility', 'visible');
  await animations.send('Animation.setPlaybackRate', { playbackRate: 1 });
  await expect(seed).toHaveCSS('visibility', 'hidden');
});

test('actions on a result appear on hover, on focus and in a menu, and a variation makes its own group', async ({
  someone,
}) => {
  const { page } = someone;
  const first = await makePicture(someone, 'a quiet harbour');
  await open(page);
  const acts = page.getByRole('group', { name: 'Actions: a quiet harbour' });
  await expect(acts).toHaveCSS('opacity', '0');
  await group(page, 'a quiet harbour').getByRole('article').hover();
  await expect(acts).toHaveCSS('opacity', '1');
  await acts.getByRole('button', { name: 'Favourite' }).click();
  await expect(acts.getByRole('button', { name: 'Favourite' })).toHaveAttribute('aria-pressed', 'true');
  await page.mouse.move(5, 5);
  // the actions beside a single image are labelled, and each is in the tab order only once
  await page.getByRole('link', { name: 'Open: a quiet harbour' }).focus();
  await page.keyboard.press('Tab');
  await expect(acts.getByRole('button', { name: 'More' })).toBeFocused();
  await expect(acts).toHaveCSS('opacity', '1');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Use settings' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const sent = page.waitForRequest('**/generate');
  await acts.getByRole('button', { name: /^Vary *10 gems/ }).dblclick();
  expect((await sent).headers()['max-gems']).toBe(String(first.billing.gems_charged));
  await expect(group(page, 'a quiet harbour')).toHaveCount(2);
  await expect(pictures(page, 'a quiet harbour')).toHaveCount(2, { timeout: 30_000 });
  const made = await requestsOf(someone);
  expect(made).toHaveLength(2);
  expect(made[0]?.result?.seed).not.toBe(first.result?.seed);
  expect(made[0]?.billing.gems_charged).toBe(first.billing.gems_charged);
});

test('the results of one press can be compared, deleted together, and restored by Undo', async ({ someone }) => {
  const { page } = someone;
  await open(page);
  await press(page, 'three quinces', 3);
  await expect(pictures(page, 'three quinces')).toHaveCount(3, { timeout: 30_000 });
  // the actions on a single image of a group are only on its tile
  const first = group(page, 'three quinces').getByRole('article').first();
  await first.getByRole('link', { name: 'Open: three quinces' }).focus();
  await page.keyboard.press('Tab');
  await expect(first.getByRole('button', { name: /^Vary/ })).toBeFocused();
  await group(page, 'three quinces').getByRole('button', { name: 'Compare 3' }).click();
  const compared = page.getByRole('dialog', { name: 'Compare' });
  await expect(compared.getByRole('img', { name: 'three quinces' })).toHaveCount(3);
  await expect(compared.getByRole('rowheader', { name: 'seed' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await group(page, 'three quinces').getByRole('button', { name: 'Delete 3' }).click();
  await page.getByRole('dialog', { name: 'Delete 3 results?' }).getByRole('button', { name: 'Delete 3' }).click();
  await expect(group(page, 'three quinces')).toBeHidden();
  await page
    .getByRole('region', { name: /^Notifications/ })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(pictures(page, 'three quinces')).toHaveCount(3);
  expect(await requestsOf(someone, '?removed=false')).toHaveLength(3);
});

test('a refusal is shown in its tile, says once that nothing was charged, and can be dismissed', async ({
  someone: { page },
}) => {
  await open(page);
  await press(page, 'a fake passport');
  const place = group(page, 'a fake passport').getByRole('article');
  await expect(place).toContainText('The same prompt will be refused again.');
  expect((await place.textContent())?.match(/charged/g)).toHaveLength(1);
  await place.getByRole('button', { name: 'Dismiss' }).click();
  await expect(group(page, 'a fake passport')).toBeHidden();
});

test('a prompt refused by the content policy asks once to rephrase it', async ({ someone: { page } }) => {
  await open(page);
  const message = 'The content policy does not allow this prompt. Nothing was charged; rephrase it.';
  await page.route('**/v1/*/generate', route =>
    route.fulfill({ status: 400, json: { error: { code: 'content_blocked', message } } }),
  );
  await press(page, 'a quince');
  const place = group(page, 'a quince').getByRole('article');
  await expect(place).toContainText('The same prompt will be refused again.');
  expect((await place.textContent())?.match(/rephrase/gi)).toHaveLength(1);
});

test('on a phone a refusal of several requests is shown once, without a cost, and fits its tile', async ({
  someone: { page },
}) => {
  await open(page);
  await page.route('**/v1/*/generate', route =>
    route.fulfill({
      status: 429,
      json: {
        error: { code: 'too_many_requests', message: 'Twenty requests are in flight, as many as there may be.' },
      },
    }),
  );
  await press(page, 'three quinces', 3);
  const place = group(page, 'three quinces').getByRole('article');
  await expect(place).toHaveCount(1);
  await expect(group(page, 'three quinces')).not.toContainText('gems');
  await page.setViewportSize({ width: 390, height: 844 });
  const again = place.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  const [outer, button, words] = await Promise.all([boxOf(place), boxOf(again), boxOf(place.getByText('Twenty'))]);
  expect(words.y).toBeGreaterThanOrEqual(outer.y);
  expect(button.y + button.height).toBeLessThanOrEqual(outer.y + outer.height);
  await page.unrouteAll();
  await again.click();
  await expect(pictures(page, 'three quinces')).toHaveCount(3, { timeout: 30_000 });
});

test('each reason for which a press was refused is shown once, and all reasons are visible', async ({
  someone: { page },
}) => {
  await open(page);
  const reasons = ['Twenty requests are in flight, as many as there may be.', 'The balance is 0.'];
  const codes = ['too_many_requests', 'insufficient_gems'];
  let asked = 0;
  await page.route('**/v1/*/generate', route => {
    const place = asked++ % 2;
    return route.fulfill({ status: 429, json: { error: { code: codes[place], message: reasons[place] } } });
  });
  await press(page, 'three quinces', 3);
  const places = group(page, 'three quinces').getByRole('article');
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(places).toHaveCount(2);
    for (const [index, reason] of reasons.entries()) {
      const place = places.filter({ hasText: reason });
      const [outer, words] = [await boxOf(place), await boxOf(place.getByText(reason))];
      const button = await boxOf(place.getByRole('button', { name: 'Dismiss' }));
      expect(words.y, `${width} ${index}`).toBeGreaterThanOrEqual(outer.y);
      expect(button.y + button.height, `${width} ${index}`).toBeLessThanOrEqual(outer.y + outer.height);
    }
  }
  await places.filter({ hasText: 'balance' }).getByRole('button', { name: 'Dismiss' }).click();
  await expect(places).toHaveCount(1);
  await expect(places).toContainText('Twenty requests');
});

test('on a phone the buttons of a refusal beside accepted requests fit its tile', async ({ someone: { page } }) => {
  await open(page);
  let asked = 0;
  await page.route('**/v1/*/generate', route =>
    asked++ === 0
      ? route.fulfill({
          status: 429,
          json: { error: { code: 'too_many_requests', message: 'Wait for one. '.repeat(9) } },
        })
      : route.fallback(),
  );
  await press(page, 'three quinces', 3);
  await page.setViewportSize({ width: 390, height: 844 });
  const place = group(page, 'three quinces').getByRole('article').filter({ hasText: 'Wait for one.' });
  for (const name of ['Try again', 'Dismiss']) {
    const [outer, button] = [await boxOf(place), await boxOf(place.getByRole('button', { name }))];
    expect(button.x + button.width).toBeLessThanOrEqual(outer.x + outer.width);
    expect(button.y + button.height).toBeLessThanOrEqual(outer.y + outer.height);
  }
});

test('a request refused for lack of space says so, is resent after Retry-After, and can be stopped', async ({
  someone,
}) => {
  const { page } = someone;
  const keys: (string | undefined)[] = [];
  await page.clock.install();
  await open(page);
  const message = 'The server has no room for this. Nothing was charged. Try again later, or tell the operator.';
  await page.route('**/v1/*/generate', route => {
    keys.push(route.request().headers()['idempotency-key']);
    const headers = { 'retry-after': '3600' };
    return route.fulfill({ status: 503, headers, json: { error: { code: 'out_of_space', message } } });
  });
  await press(page, 'a quince');
  const place = group(page, 'a quince').getByRole('article');
  await expect(place).toContainText(`never charged twice. ${message}`);
  await expectAccessible(page);

  await place.getByRole('button', { name: 'Stop sending' }).press('Enter');
  const again = place.getByRole('button', { name: 'Try again' });
  await expect(again).toBeFocused();
  await expect(place).toContainText(message);
  expect((await place.textContent())?.match(/charged/g)).toHaveLength(1);
  await expectAccessible(page);
  await page.clock.fastForward('01:01:00');
  await page.reload();
  await expect(place).toContainText(message);
  await untilItListens(page.locator('form#create'));
  // a round trip: automatic retries would be sent before it
  const roundTrip = () => page.evaluate(async () => (await fetch('/healthz')).status);
  await roundTrip();
  expect(keys).toHaveLength(1);

  await again.click();
  await expect(place).toContainText('It is sent again by itself');
  await page.clock.fastForward('59:00');
  await roundTrip();
  expect(keys).toHaveLength(2);
  expect(new Set(keys).size).toBe(1);
  await page.unrouteAll();
  await page.clock.fastForward('01:00');
  await expect(pictures(page, 'a quince')).toBeVisible({ timeout: 30_000 });
  expect(await requestsOf(someone)).toHaveLength(1);
});

test('each request pressed while offline is sent when the connection is back', async ({ someone }) => {
  const { page, context } = someone;
  await page.clock.install();
  await open(page);
  await context.setOffline(true);
  for (const prompt of ['a fig', 'a plum']) {
    await promptField(page).fill(prompt);
    await createButton(page).click();
    await expect(group(page, prompt)).toContainText('It is sent again by itself');
    // later than a double click
    await page.clock.fastForward(1_000);
  }
  await context.setOffline(false);
  for (const prompt of ['a fig', 'a plum']) await expect(pictures(page, prompt)).toHaveCount(1, { timeout: 60_000 });
  expect(await requestsOf(someone)).toHaveLength(2);
});

test('a stopped request that may have been accepted says so, and is not made twice when sent again', async ({
  someone,
}) => {
  const { page } = someone;
  await open(page);
  await page.route('**/v1/*/generate', async route => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('radio', { name: '21:9' }).check();
  await press(page, 'four quinces', 4);
  const stop = results(page).getByRole('button', { name: 'Stop sending' });
  await expect(stop).toHaveCount(4);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const button of await stop.all()) await expect(button).toBeInViewport({ ratio: 1 });
  for (const left of [3, 2, 1, 0]) {
    await stop.first().click();
    await expect(stop).toHaveCount(left);
  }
  const given = results(page).getByRole('article').filter({ hasText: 'was accepted' });
  await expect(given).toHaveCount(1);
  await expect(given).not.toContainText('Nothing was charged');
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await given.getByRole('button', { name: 'Try again' }).click();
  await expect(given).toHaveCount(0);
  await expect(pictures(page, 'four quinces')).toHaveCount(4, { timeout: 30_000 });
  expect(await requestsOf(someone)).toHaveLength(4);
});

test('a cancelled or expired result takes only the height of its text', async ({ someone, house }) => {
  const { page } = someone;
  const { request_id } = await makePicture(someone, 'a quince');
  await open(page);
  const place = group(page, 'a quince').getByRole('article');
  expect((await boxOf(place)).height).toBeGreaterThan(500);
  for (const [change, said] of [
    [`result = jsonb_set(result, '{expiresAt}', '"2026-01-01T00:00:00.000Z"')`, 'Expired'],
    [`status = 'cancelled', result = null`, 'Cancelled'],
  ] as const) {
    await house.pool.query(`update requests set ${change} where id = $1`, [request_id]);
    await page.reload();
    await expect(place).toContainText(said);
    expect((await boxOf(place)).height, said).toBeLessThan(320);
  }
});

test('a group is shown as kept only when all of its files are kept', async ({ someone }) => {
  const { page, call } = someone;
  await open(page);
  await press(page, 'two figs', 2);
  await expect(pictures(page, 'two figs')).toHaveCount(2, { timeout: 30_000 });
  const made = await requestsOf(someone);
  const keep = async ({ request_id }: { request_id: string }) =>
    expect((await call('PUT', `/v1/requests/${request_id}/keep`)).status()).toBe(200);
  for (const [request, words] of [
    [made[1], '30 days left'],
    [made[0], 'Kept'],
  ] as const) {
    await keep(request!);
    await page.reload();
    await expect(group(page, 'two figs').getByText(words, { exact: true })).toBeVisible();
  }
});

test('a prompt refused for legal reasons offers no retry', async ({ someone: { page } }) => {
  await open(page);
  const message = 'A legal restriction does not allow this prompt. Nothing was charged.';
  await page.route('**/v1/*/generate', route =>
    route.fulfill({ status: 451, json: { error: { code: 'content_restricted', message } } }),
  );
  await press(page, 'a quince');
  const place = group(page, 'a quince').getByRole('article');
  await expect(place).toContainText('The same prompt will be refused again.');
  await expect(place.getByRole('button', { name: 'Try again' })).toBeHidden();
});

test('a failed request states its refund once, and is retried with the same seed', async ({ someone, house }) => {
  const { page } = someone;
  const { request_id, result, billing } = await makePicture(someone, 'a frozen quince');
  const message =
    'The engine failed on this request. Submit again, with another seed or prompt; the gems were refunded.';
  await house.pool.query(
    `update requests set status = 'failed', result = null, refunded = true, error_message = $2 where id = $1`,
    [request_id, message],
  );
  await open(page);
  const place = results(page).getByRole('article');
  const again = place.getByRole('button', { name: 'Try again' });
  await expect(place).toContainText(`; ${billing.gems_charged} gems were refunded.`);
  await expect(place.getByText('refunded')).toHaveCount(1);
  await expect(group(page, 'a frozen quince').getByText('0 gems', { exact: true })).toBeVisible();
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const [outer, button, words] = await Promise.all([boxOf(place), boxOf(again), boxOf(place.getByText('engine'))]);
    expect(words.y, `${width}`).toBeGreaterThanOrEqual(outer.y);
    expect(button.y + button.height, `${width}`).toBeLessThanOrEqual(outer.y + outer.height);
  }
  await again.click();
  await expect(pictures(page, 'a frozen quince')).toBeVisible({ timeout: 30_000 });
  const [made] = await requestsOf(someone);
  expect(made?.result?.seed).toBe(result?.seed);
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true });

  test('on a phone the confirmation before cancelling one of four requests fits its tile', async ({
    page,
    context,
    idle,
  }) => {
    await signUp(context, idle);
    const faults = watchFaults(page);
    await open(page, `${idle.baseURL}/create/ltx_video`);
    await press(page, 'a harbour', 4);
    await page.setViewportSize({ width: 390, height: 844 });
    const place = group(page, 'a harbour').getByRole('article').last();
    await place.getByRole('button', { name: 'Cancel' }).click();
    const question = place.getByRole('group', { name: 'Cancel it?' });
    await expect(question).toBeVisible();
    const outer = await boxOf(place);
    expect(await boxOf(question)).toEqual(outer);
    for (const part of [question.getByText('will not be refunded'), ...(await question.getByRole('button').all())]) {
      const box = await boxOf(part);
      expect(box.x).toBeGreaterThanOrEqual(outer.x);
      expect(box.x + box.width).toBeLessThanOrEqual(outer.x + outer.width);
      expect(box.y + box.height).toBeLessThanOrEqual(outer.y + outer.height);
    }
    await question.getByRole('button', { name: 'Stop it' }).click();
    await expect(place).toContainText('Cancelled');

    // one confirmation covers all remaining requests
    const acts = group(page, 'a harbour');
    await acts.getByRole('button', { name: 'Cancel 3' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel these 3?' });
    await expect(dialog).toContainText('will not be refunded');
    await dialog.getByRole('button', { name: 'Stop them' }).click();
    await expect(dialog).toBeHidden();
    await expect(acts.getByText('Cancelled')).toHaveCount(4);
    await expect(acts.getByRole('button', { name: /^Cancel/ })).toHaveCount(0);
    expect(faults).toEqual([]);
  });

  test('on a tablet the menu button of a result has room for its icon and its label', async ({ someone }) => {
    const { page } = someone;
    await page.setViewportSize({ width: 768, height: 1024 });
    await make(someone, 'z_image', { prompt: 'a harbour', aspect_ratio: '16:9' });
    await page.goto('/create/z_image');
    const more = page.getByRole('group', { name: 'Actions: a harbour' }).getByRole('button', { name: 'More' });
    const [outer, sign, name] = await Promise.all([
      boxOf(more),
      boxOf(more.locator('svg')),
      boxOf(more.getByText('More')),
    ]);
    expect(sign.width).toBeGreaterThan(15);
    expect(name.x).toBeGreaterThan(sign.x + sign.width);
    expect(name.x + name.width).toBeLessThan(outer.x + outer.width - 8);
    await more.tap();
    await page.getByRole('menuitem', { name: 'Favourite' }).tap();
    await expect.poll(async () => (await requestsOf(someone))[0]?.favourite).toBe(true);
  });
});

test.describe('in a phone browser', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, userAgent: devices['Pixel 7'].userAgent });

  async function pressForFour(page: Page, prompt: string): Promise<void> {
    await page.getByRole('button', { name: 'Write a prompt' }).click();
    const composer = page.getByRole('dialog');
    await composer.getByRole('textbox', { name: 'Prompt' }).fill(prompt);
    await composer.getByRole('radio', { name: '4', exact: true }).check();
    await composer.getByRole('button', { name: /^Create/ }).click();
  }

  test('each audio result of a press has room for its waveform and its times', async ({ someone: { page } }) => {
    await page.goto('/create/seed_audio');
    await pressForFour(page, 'four bells');
    const waves = group(page, 'four bells').getByRole('slider', { name: 'Position in the audio' });
    await expect(waves).toHaveCount(4, { timeout: 30_000 });
    for (const place of await group(page, 'four bells').getByRole('article').all()) {
      const { y, height } = await boxOf(place);
      const times = await boxOf(place.getByText('0:05'));
      expect(times.y + times.height).toBeLessThanOrEqual(y + height);
      expect((await boxOf(place.getByRole('slider'))).width).toBeGreaterThan(150);
    }
  });

  test('the groups below a press stay in place when its results bring more actions', async ({ someone }) => {
    const { page } = someone;
    await makePicture(someone, 'the older one');
    await page.goto('/create/z_image');
    await pressForFour(page, 'four figs');
    const news = group(page, 'four figs');
    await expect(news.getByRole('button', { name: 'Cancel 4' })).toBeVisible();
    const before = await boxOf(group(page, 'the older one'));
    await expect(news.getByRole('button', { name: 'Delete 4' })).toBeVisible({ timeout: 30_000 });
    expect((await boxOf(group(page, 'the older one'))).y).toBe(before.y);
  });

  test('a very flat result has room for its menu button', async ({ someone, house }) => {
    const { page } = someone;
    const { request_id } = await makePicture(someone, 'a ribbon');
    await house.pool.query(`update requests set result = result || '{"width": 1600, "height": 100}' where id = $1`, [
      request_id,
    ]);
    await page.goto('/create/z_image');
    const [place, more] = await Promise.all([
      boxOf(group(page, 'a ribbon').getByRole('article')),
      boxOf(group(page, 'a ribbon').getByRole('button', { name: 'More' })),
    ]);
    expect(more.y).toBeGreaterThanOrEqual(place.y);
  });

  test('a pending request for a very flat image has a tile with limited aspect ratio', async ({
    someone: { page },
  }) => {
    // before the first visit, whose page may also send what is stored
    await page.route('**/generate', () => {});
    await page.goto('/create/z_image');
    await page.evaluate(() => {
      const sent = { key: 'a', group: 'a', architecture: 'z_image', type: 'image', body: { prompt: 'a ribbon' } };
      const visit = [{ ...sent, gems: 10, aspect: 16, createdAt: Date.now() }];
      sessionStorage.setItem('pomona.visit', JSON.stringify(visit));
    });
    await page.reload();
    const { width, height } = await boxOf(group(page, 'a ribbon').getByRole('article'));
    expect(width / height).toBeCloseTo(4, 1);
  });

  test('a result has its actions in one menu, and no hidden action buttons in the page', async ({ someone }) => {
    const { page } = someone;
    await makePicture(someone, 'a harbour');
    await page.goto('/create/z_image');
    await expect(pictures(page, 'a harbour')).toBeVisible();
    const acts = group(page, 'a harbour').locator('a, button').filter({ hasText: /./ });
    await expect(acts).toHaveText(['More', 'Use settings']);
    await acts.first().tap();
    for (const name of [/^Vary.*10 gems$/, 'Use as reference', 'Collect', 'Download', 'Delete'])
      await expect(page.getByRole('menuitem', { name, exact: true })).toBeVisible();
    await page.getByRole('menuitem', { name: 'Favourite' }).tap();
    await expect.poll(async () => (await requestsOf(someone))[0]?.favourite).toBe(true);
  });
});
