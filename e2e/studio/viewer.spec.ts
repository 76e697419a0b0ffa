import type { Locator, Page } from '@playwright/test';
import { comeBackUntil, expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { promptField } from './create-page.ts';
import { expect, open, picture, test, tile, tiles } from './history-page.ts';
import { hold } from './network.ts';
import { seedHistory } from './seed-history.ts';
import { untilItListens } from './someone.ts';
import { viewer } from './viewer.ts';

// the viewer, which shows a result large

/** Makes changes of favourites fail; returns the locator of the error notice. */
async function breakFavourites(page: Page): Promise<Locator> {
  const error = { code: 'internal_error', message: 'It broke.' };
  await page.route('**/v1/requests/*/favourite', route => route.fulfill({ status: 500, json: { error } }));
  return page.getByText('The favourites were not changed.', { exact: true });
}

test('the viewer zooms an image, browses results, copies the prompt and leads back to the form', async ({
  page,
  context,
  member: { customer },
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await customer.generate(picture('the older one', { seed: 7 }));
  await customer.generate(picture('the newer one'));
  await open(page);
  await tile(page, 'the newer one').getByRole('link').click();
  const newer = viewer(page).getByRole('img', { name: 'the newer one' });
  await expect(newer).toBeVisible();
  // decoded later, it would leave a blank stage after the preview
  await expect(newer).toHaveAttribute('decoding', 'sync');
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page).getByText('the older one')).toBeVisible();
  await expect(viewer(page).getByText('7', { exact: true })).toBeVisible();
  await viewer(page).getByRole('application').focus();
  await page.keyboard.press('1');
  await expect(viewer(page).getByText('100 %')).toBeVisible();
  const shown = await viewer(page).getByRole('img', { name: 'the older one' }).boundingBox();
  expect(Math.round(shown?.height ?? 0)).toBe(1120);
  await page.keyboard.press('+');
  await expect(viewer(page).getByText('140 %')).toBeVisible();
  for (let n = 0; n < 8; n++) await page.keyboard.press('+');
  await expect(viewer(page).getByText('800 %')).toBeVisible();
  await page.keyboard.press('0');
  await viewer(page).getByRole('button', { name: 'Copy prompt' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('the older one');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(tile(page, 'the older one').getByRole('link')).toBeFocused();
  await page.keyboard.press('Enter');
  await viewer(page).getByRole('link', { name: 'Same seed' }).click();
  await expect(page).toHaveURL(/\/create\/z_image/);
  await expect(promptField(page)).toHaveValue('the older one');
});

test('the facts of a result stay in place when its tags arrive, and appear with the actions that need the catalog', async ({
  page,
  member: { customer },
}) => {
  const { request_id } = await customer.generate(picture('a fig'));
  await open(page);
  const releaseCatalog = await hold(page, '**/v1/architectures');
  const release = await hold(page, `**/v1/requests/${request_id}`);
  await tile(page, 'a fig').getByRole('link').click();
  const model = viewer(page).getByRole('term').filter({ hasText: 'Model' });
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toBeVisible();
  await expect(model).toBeHidden();
  releaseCatalog();
  // waits until the viewer has opened
  await model.hover();
  const before = await model.boundingBox();
  release();
  await expect(viewer(page).getByLabel('Add a tag')).toBeVisible();
  expect((await model.boundingBox())?.y).toBe(before?.y);
});

test('the zoom of a one-pixel image is shown as a factor, not in percent', async ({
  page,
  house,
  member: { customer },
}) => {
  const { request_id } = await customer.generate(picture('a dot'));
  await house.pool.query(`update requests set result = result || '{"width": 1, "height": 1}' where id = $1`, [
    request_id,
  ]);
  await page.goto(`/history/${request_id}`);
  const zoom = page.getByRole('group', { name: 'Zoom' });
  await expect(zoom.getByRole('status')).toHaveText(/^[\d,]{3,5} ×$/);
  const widthOf = async () => (await page.getByRole('img', { name: 'a dot' }).boundingBox())!.width;
  const whole = await widthOf();
  const closer = zoom.getByRole('button', { name: 'Zoom in' });
  while (await closer.isEnabled()) await closer.click();
  await expect.poll(async () => (await widthOf()) / whole).toBeCloseTo(4, 3);
  await zoom.getByRole('button', { name: 'Show it at its own size' }).click();
  await expect(zoom.getByRole('status')).toHaveText('100 %');
});

test('on a phone the viewer and the result page show the prompt and main actions, and the rest in a menu', async ({
  page,
  member: { customer },
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const [, newer] = [
    await customer.generate(picture('the older one')),
    await customer.generate(picture('the newer one')),
  ];
  await open(page);
  await tile(page, 'the newer one').getByRole('link').click();
  const looks = [
    { place: viewer(page), leave: () => page.goto(`/history/${newer.request_id}`) },
    { place: page.getByRole('main'), leave: () => open(page) },
  ];
  for (const { place, leave } of looks) {
    const prompt = place.getByRole('region', { name: 'Prompt' });
    await expect(prompt).toBeInViewport({ ratio: 1 });
    const first = ['Use settings', 'Edit', 'Favourite', 'Share', 'Download', 'More'];
    for (const name of first) {
      const act = place.getByRole('link', { name, exact: true }).or(place.getByRole('button', { name, exact: true }));
      // on the page of a result, the bar of the studio is at the bottom
      await act.scrollIntoViewIfNeeded();
      await expect(act).toHaveCount(1);
      const [box, words] = [await act.boundingBox(), await prompt.boundingBox()];
      expect(box!.y, name).toBeGreaterThanOrEqual(words!.y + words!.height);
      expect(Math.min(box!.width, box!.height), name).toBeGreaterThanOrEqual(44);
    }
    await expect(place.getByRole('button', { name: 'Vary' })).toBeHidden();
    await place.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitem')).toContainText([
      'Vary',
      'Same seed',
      'Animate',
      'Use as reference',
      'Upscale',
    ]);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await leave();
  }
  await tile(page, 'the newer one').getByRole('link').click();
  await viewer(page).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('the older one');
});

test('one step back leads to the previous page after several results were viewed', async ({
  page,
  member: { customer },
}) => {
  for (const prompt of ['one fig', 'two figs']) await customer.generate(picture(prompt));
  await page.goto('/uploads');
  await page.getByRole('link', { name: 'History' }).first().click();
  const close = viewer(page).getByRole('button', { name: 'Close' });
  const ways = [
    () => page.keyboard.press('Escape'),
    // clicked twice before the first click takes effect
    () => close.evaluate((button: HTMLElement) => [button.click(), button.click()]),
    async () => {
      await page.reload();
      await close.click();
    },
  ];
  for (const leave of ways) {
    await tile(page, 'two figs').getByRole('link').click();
    await expect(viewer(page)).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(viewer(page).getByRole('img', { name: 'one fig' })).toBeVisible();
    await leave();
    await expect(viewer(page)).toBeHidden();
    await expect(page).toHaveURL('/history');
  }
  await page.goBack();
  await expect(page).toHaveURL('/uploads');
});

test('at the end of a partly loaded list the viewer requests the rest again', async ({ page, house, member }) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 60);
  const error = { code: 'internal_error', message: 'Something went wrong here.' };
  await page.route('**/v1/requests?*cursor=*', route => route.fulfill({ status: 500, json: { error } }));
  await open(page);
  await expect(page.getByText('The rest did not load.')).toBeAttached({ timeout: 30_000 });
  await page.locator('[data-tile="0"]').focus();
  await page.keyboard.press('End');
  await expect(page.locator('[data-tile="47"]')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(viewer(page)).toBeVisible();
  const link = viewer(page).getByRole('link', { name: 'Open as a page' });
  const last = String(await link.getAttribute('href'));
  const older = viewer(page).getByRole('button', { name: 'Older' });
  await expect(older).toBeEnabled();
  await page.unroute('**/v1/requests?*cursor=*');
  await expect(async () => {
    await older.click();
    expect(await link.getAttribute('href')).not.toBe(last);
  }).toPass();
});

test('the viewer reports that its result was deleted elsewhere', async ({ page, member: { customer } }) => {
  const { request_id } = await customer.generate(picture('a fig'));
  await page.goto(`/history?view=${request_id}`);
  await expect(viewer(page).getByRole('img', { name: 'a fig' })).toBeVisible();
  expect((await customer.api.delete(`/v1/requests/${request_id}`)).status()).toBe(204);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  await expect(viewer(page).getByText('This result was deleted')).toBeVisible();
  await expect(viewer(page).getByRole('link', { name: 'Open its settings' })).toBeVisible();
  await viewer(page).getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL('/history');
});

test('a viewed result keeps its neighbours after it is deleted elsewhere', async ({ page, member: { customer } }) => {
  await customer.generate(picture('fig 1'));
  const { request_id } = await customer.generate(picture('fig 2'));
  await customer.generate(picture('fig 3'));
  await open(page);
  await tile(page, 'fig 2').getByRole('link').click();
  await expect(viewer(page).getByRole('img', { name: 'fig 2' })).toBeVisible();
  expect((await customer.api.delete(`/v1/requests/${request_id}`)).status()).toBe(204);
  await comeBackUntil(page, options => expect(page.locator('[data-tile]')).toHaveCount(2, options));
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('fig 1');
  await viewer(page).getByRole('button', { name: 'Newer' }).click();
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('fig 3');
});

test('a viewer button that becomes disabled keeps the focus, and arrow keys still work', async ({
  page,
  member: { customer },
}) => {
  for (const prompt of ['fig 1', 'fig 2']) await customer.generate(picture(prompt));
  await open(page);
  await tile(page, 'fig 1').getByRole('link').click();
  const prompt = viewer(page).getByRole('region', { name: 'Prompt' });
  await expect(prompt).toContainText('fig 1');
  const newer = viewer(page).getByRole('button', { name: 'Newer' });
  await newer.press('Enter');
  await expect(prompt).toContainText('fig 2');
  await expect(newer).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(newer).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(prompt).toContainText('fig 1');
  const fit = viewer(page).getByRole('button', { name: 'Fit to screen' });
  await viewer(page).getByRole('button', { name: 'Zoom in' }).press('Enter');
  await fit.press('Enter');
  await expect(fit).toBeDisabled();
  await expect(fit).toBeFocused();
});

test('deletions in the viewer are undone by Ctrl+Z, and Escape closes the viewer but not the undo notice', async ({
  page,
  member: { customer },
}) => {
  for (const n of [1, 2, 3]) await customer.generate(picture(`fig ${n}`));
  await open(page);
  await tile(page, 'fig 3').getByRole('link').click();
  await viewer(page).getByRole('button', { name: 'Delete' }).click();
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('fig 2');
  await page.keyboard.press('ArrowRight');
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('fig 1');
  // after the last result, the viewer shows the previous one
  await viewer(page).getByRole('button', { name: 'Delete' }).click();
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('fig 2');
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(tiles(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(tiles(page)).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
  expect((await customer.list('?removed=false')).data).toHaveLength(3);
});

test('in the viewer F marks a favourite and Delete deletes, except in text fields and dialogs', async ({
  page,
  member: { customer },
}) => {
  for (const n of [1, 2]) await customer.generate(picture(`fig ${n}`));
  await open(page);
  await tile(page, 'fig 2').getByRole('link').click();
  const favourite = viewer(page).getByRole('button', { name: 'Favourite' });
  await expect(favourite).toBeVisible();
  await page.keyboard.press('f');
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  await viewer(page).getByLabel('Add a tag').pressSequentially('fig');
  await viewer(page).getByRole('button', { name: 'Share' }).click();
  // the dialog handles keys from when it is visible, even before it has the focus
  await expect(page.getByRole('dialog', { name: 'Share' })).toBeVisible();
  for (const key of ['f', 'Delete', 'Escape']) await page.keyboard.press(key);
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  // the sheet of shortcuts opens from here, too
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(sheet).toBeVisible();
  for (const key of ['f', 'Delete', 'Escape']) await page.keyboard.press(key);
  await expect(sheet).toBeHidden();
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Delete');
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('fig 1');
  await page.keyboard.press('Escape');
  await expect(tiles(page)).toHaveCount(1);
});

test('keys pressed while a dialog opens over the viewer do not act on the viewer', async ({
  page,
  member: { customer },
}) => {
  await customer.generate(picture('a fig'));
  await open(page);
  await tile(page, 'a fig').getByRole('link').click();
  const share = viewer(page).getByRole('button', { name: 'Share' });
  await expect(share).toBeVisible();
  // keys pressed before the dialog has the focus, and before the viewer knows of the dialog
  const pressed = page.evaluate(() => {
    const press = (key: string) =>
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    return new Promise<void>(resolve =>
      new MutationObserver((_, watching) => {
        if (document.querySelectorAll('[role=dialog]').length < 2) return;
        watching.disconnect();
        for (const key of ['f', 'Delete', 'Escape']) press(key);
        resolve();
      }).observe(document.body, { childList: true, subtree: true }),
    );
  });
  await share.click();
  await pressed;
  await expect(share).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await expect(viewer(page).getByRole('button', { name: 'Favourite' })).toHaveAttribute('aria-pressed', 'false');
});

test('a variation from the viewer is confirmed with its maximum cost', async ({ page, member: { customer } }) => {
  const { billing } = await customer.generate(picture('a fig on a table'));
  await open(page);
  await tile(page, 'a fig on a table').getByRole('link').click();
  await viewer(page).getByRole('button', { name: 'Vary' }).click();
  await expect(page.getByText(`For at most ${billing.gems_charged} gems.`).first()).toBeVisible();
  await expect.poll(async () => (await customer.list()).data.length).toBe(2);
});

test('a file that did not load is shown as deleted only if the server says so, and is otherwise loaded again', async ({
  page,
  house,
  member: { customer },
}) => {
  const kept = await customer.generate(picture('kept for a while'));
  const gone = await customer.generate(picture('gone since'));
  await house.pool.query(`update media set deleted_at = now(), expires_at = now() where request_id = $1`, [
    gone.request_id,
  ]);
  let isDown = true;
  let alive = Promise.withResolvers<void>();
  await page.route('**/media/**', async route => {
    // held back until hydration, since the page would miss an earlier error event
    await alive.promise;
    await (isDown ? route.abort() : route.continue());
  });
  const lost = (place: Locator) => place.getByText('Did not load');
  const width = (place: Locator) =>
    place.getByRole('img', { name: 'kept for a while' }).evaluate((img: HTMLImageElement) => img.naturalWidth);
  await page.goto('/history', { waitUntil: 'commit' });
  await untilItListens(page.getByRole('button', { name: 'More filters' }));
  alive.resolve();
  await expect(lost(page.locator('body'))).toHaveCount(2);
  await expectAccessible(page);
  isDown = false;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(tile(page, 'gone since')).toContainText('The file is gone');
  await expect.poll(() => width(tile(page, 'kept for a while'))).toBeGreaterThan(0);
  await expect(lost(page.locator('body'))).toHaveCount(0);

  isDown = true;
  alive = Promise.withResolvers<void>();
  const main = page.getByRole('main');
  await page.goto(`/history/${kept.request_id}`, { waitUntil: 'commit' });
  await expect(async () => {
    await main.getByRole('button', { name: 'Zoom in' }).click();
    await expect(main.getByRole('button', { name: 'Zoom out' })).toBeEnabled({ timeout: 1_000 });
  }).toPass();
  alive.resolve();
  const again = main.getByRole('button', { name: 'Try again' });
  await expect(lost(main)).toBeVisible();
  isDown = false;
  await again.click();
  await expect.poll(() => width(main)).toBeGreaterThan(0);
  await page.goto(`/history/${gone.request_id}`);
  await expect(main).toContainText('The file is gone.');
});

test('deleting a viewed result that is in no list closes the viewer and shows no other result', async ({
  page,
  member: { customer },
}) => {
  const shown = await customer.generate(picture('a fig'));
  expect((await customer.api.put(`/v1/requests/${shown.request_id}/favourite`)).status()).toBe(200);
  const { request_id } = await customer.generate(picture('a plum'));
  await page.goto(`/history?favourite=true&view=${request_id}`);
  await expect(viewer(page).getByRole('region', { name: 'Prompt' })).toContainText('a plum');
  await viewer(page).getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Deleted', { exact: true })).toBeVisible();
  await expect(viewer(page)).toBeHidden();
  await expect(page).toHaveURL('/history?favourite=true');
  await expect(tiles(page)).toHaveCount(1);
});

test('Escape closes the viewer or the notice over it, never both, and the focus returns to the tile', async ({
  page,
  member: { customer },
}) => {
  await customer.generate(picture('a mulberry'));
  const notice = await breakFavourites(page);
  await open(page);
  const shown = tile(page, 'a mulberry').getByRole('link');
  await shown.press('Enter');
  await expect(viewer(page).getByRole('button', { name: 'Favourite', exact: true })).toBeVisible();
  await page.keyboard.press('f');
  await expect(notice).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toBeHidden();
  await expect(notice).toBeVisible();
  await expect(shown).toBeFocused();
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect(notice).toBeHidden();
  await expect(shown).toBeFocused();

  await page.keyboard.press('f');
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(notice).toBeHidden();
  await expect(shown).toBeFocused();
  await page.keyboard.press('f');
  await expect(notice).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(notice).toBeHidden();
});

test('F8 leads to a notice over a dialog, and Escape in the notice returns to the dialog', async ({
  page,
  member: { customer },
}) => {
  await customer.generate(picture('a mulberry'));
  const notice = await breakFavourites(page);
  await open(page);
  await tile(page, 'a mulberry').getByRole('link').focus();
  await page.keyboard.press('f');
  await expect(notice).toBeVisible();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(sheet).toBeVisible();
  const within = sheet.getByRole('button', { name: 'Close' });
  await within.focus();
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  // a screen reader announces the focused element
  const notices = page.getByRole('region', { name: /^Notifications/ });
  await expect(notices.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(notice).toBeHidden();
  await expect(within).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
});

test('Escape closes the list of requests in progress, and a second Escape closes the notice beside it', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  expect((await call('POST', '/v1/z_image/generate', { prompt: 'a fig' })).status()).toBe(202);
  const notice = await breakFavourites(page);
  await open(page, `${idle.baseURL}/history`);
  await page.getByRole('gridcell').getByRole('link').press('f');
  await expect(notice).toBeVisible();
  const ring = page.getByRole('button', { name: '1 in progress' }).filter({ visible: true });
  await untilItListens(ring);
  await ring.press('Enter');
  const list = page.getByRole('region', { name: 'In progress' }).getByRole('listitem');
  await expect(list).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(notice).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(notice).toBeHidden();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a scrollable menu marks the edge beyond which it continues', async ({ page, member: { customer } }) => {
    const { request_id } = await customer.generate(picture('a fig'));
    await page.setViewportSize({ width: 390, height: 400 });
    await page.goto(`/history?view=${request_id}`);
    await viewer(page).getByRole('button', { name: 'More' }).tap();
    const menu = page.getByRole('menu');
    /** Whether a strip of the menu without text, this far from its top, looks the same as one in its middle. */
    const isPlain = async (down: (height: number) => number) => {
      const { x, y, width, height } = (await menu.boundingBox())!;
      const strip = (at: number) =>
        page.screenshot({ clip: { x: x + width - 8, y: y + at, width: 4, height: 2 }, animations: 'disabled' });
      return (await strip(down(height))).equals(await strip(height / 2));
    };
    const top = () => isPlain(() => 3);
    const bottom = () => isPlain(height => height - 5);
    await expect.poll(top).toBe(true);
    expect(await bottom()).toBe(false);
    await menu.evaluate(element => element.scrollTo({ top: element.scrollHeight, behavior: 'instant' }));
    await expect.poll(bottom).toBe(true);
    expect(await top()).toBe(false);
  });

  test('a swipe on an unzoomed image scrolls the viewer, a pinch zooms, and the image never fills the window', async ({
    page,
    member: { customer },
  }) => {
    const { request_id } = await customer.generate(picture('a fig'));
    await page.goto(`/history?view=${request_id}`);
    const stage = viewer(page).getByRole('application');
    const takes = () => stage.evaluate(element => getComputedStyle(element).touchAction);
    expect(await takes()).toBe('pan-y');
    const box = (await stage.boundingBox())!;
    const hand = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...ys: number[]) =>
      hand.send('Input.dispatchTouchEvent', { type, touchPoints: ys.map((y, id) => ({ x: box.x + 100, y, id })) });
    await touch('touchStart', 400);
    for (const y of [380, 340, 300, 260, 220]) await touch('touchMove', y);
    await touch('touchEnd');
    await expect.poll(async () => (await stage.boundingBox())!.y).toBeLessThan(box.y - 50);
    // pinching with two fingers zooms in
    const whole = await viewer(page)
      .getByText(/^\d+ %$/)
      .innerText();
    // retried: an element that still scrolls takes no touches, and the scroll distance varies
    await expect(async () => {
      await stage.evaluate(element => element.scrollIntoView({ block: 'center' }));
      const { y, height } = (await stage.boundingBox())!;
      const middle = y + height / 2;
      await touch('touchStart', middle - 20, middle + 20);
      for (const apart of [40, 60, 80, 100]) await touch('touchMove', middle - apart, middle + apart);
      await touch('touchEnd');
      await expect(viewer(page).getByText(/^\d+ %$/)).not.toHaveText(whole, { timeout: 1_000 });
    }).toPass();
    await expect.poll(takes).toBe('none');

    await page.setViewportSize({ width: 740, height: 300 });
    await page.evaluate(() => (document.documentElement.style.fontSize = '24px'));
    await expect.poll(async () => (await stage.boundingBox())!.height).toBeLessThan(300);
  });
});
