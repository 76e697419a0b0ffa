import { expectAccessible } from '../page-checks.ts';
import { expect, open, picture, test, tile, tiles } from './history-page.ts';
import { seedHistory } from './seed-history.ts';

// a result in the gallery: its tile and the actions on it

test('a video tile plays on hover, stops at its button, and can still be selected by its checkbox', async ({
  page,
  member: { customer },
}) => {
  await customer.generate({ architecture: 'ltx_video', body: { prompt: 'a river', resolution: '240p' } });
  await open(page);
  const isPaused = () =>
    tile(page, 'a river')
      .locator('video')
      .evaluate((video: HTMLVideoElement) => video.paused);
  await tile(page, 'a river').hover();
  await expect.poll(isPaused).toBe(false);
  await tile(page, 'a river').getByRole('button', { name: 'Pause' }).click();
  await expect.poll(isPaused).toBe(true);
  await tile(page, 'a river').getByRole('checkbox').click();
  await expect(tile(page, 'a river')).toHaveAttribute('aria-selected', 'true');
});

test('the menu of a gallery result offers its actions by mouse and by keyboard', async ({
  page,
  member: { customer },
}) => {
  for (const prompt of ['one fig', 'two figs', 'three figs']) await customer.generate(picture(prompt));
  await open(page);
  const more = (prompt: string) => tile(page, prompt).getByRole('button', { name: `More: ${prompt}` });
  const at = (place: number) => page.locator(`[data-tile="${place}"]`);
  const rows = page.getByRole('menuitem');
  await tile(page, 'two figs').hover();
  await more('two figs').click();
  await expect(rows).toContainText(['Vary', 'Use settings', 'Same seed', 'Edit', 'Favourite', 'Share', 'Delete']);
  // an action for operators only
  await expect(rows.filter({ hasText: 'Model example' })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Favourite' }).click();
  await expect(tile(page, 'two figs').getByRole('button', { name: 'Favourite' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );

  // keys pressed in the menu do not move, mark or select in the gallery
  await more('three figs').press('Enter');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('End');
  await expect(rows.last()).toBeFocused();
  await page.keyboard.press('f');
  await expect(page.getByRole('menuitem', { name: 'Favourite' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more('three figs')).toBeFocused();
  await expect(at(0)).toHaveAttribute('tabindex', '0');
  await expect(tile(page, 'three figs').getByRole('button', { name: 'Favourite' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );

  await page.keyboard.press('ArrowDown');
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(rows.last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(tile(page, 'three figs')).toHaveCount(0);
  await expect(at(0)).toBeFocused();
});

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the menu button of a gallery result is visible, and its dialog does not focus the text field', async ({
    page,
    member: { customer },
  }) => {
    await customer.generate(picture('one fig'));
    await open(page);
    const more = tile(page, 'one fig').getByRole('button', { name: 'More: one fig' });
    await expect(more).toHaveCSS('opacity', '1');
    await more.tap();
    await page.getByRole('menuitem', { name: 'Collect' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Add to a collection' });
    await expect(dialog.getByRole('textbox')).toBeVisible();
    // an on-screen keyboard would cover half of the dialog
    await expect(dialog.getByRole('textbox')).not.toBeFocused();
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await more.tap();
    await page.getByRole('menuitem', { name: 'Use settings' }).tap();
    await expect(page).toHaveURL(/\/create/);
  });

  test('the title of the history stays in place when the selection begins', async ({ page, member: { customer } }) => {
    await customer.generate(picture('one fig'));
    await open(page);
    const title = page.getByRole('heading', { name: 'History' });
    const before = await title.boundingBox();
    await page.getByRole('button', { name: 'Select', exact: true }).tap();
    await expect(page.getByRole('toolbar', { name: 'Selected results' })).toBeVisible();
    expect(await title.boundingBox()).toEqual(before);
  });
});

test('Tab visits one video tile of the gallery and its controls, then leaves the gallery', async ({
  page,
  member,
  house,
}) => {
  await member.customer.generate({ architecture: 'ltx_video', body: { prompt: 'a river', resolution: '240p' } });
  await seedHistory(house.pool, member.accountId, 5);
  await open(page);
  await tiles(page).first().getByRole('link').focus();
  const reached = [];
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('Tab');
    reached.push(await tiles(page).evaluateAll(all => all.findIndex(one => one.contains(document.activeElement))));
  }
  expect(reached).toEqual([0, 0, 0, 0, -1]);
});

test('tile captions stay whole and uncovered when the font size is doubled', async ({ page, house, member }) => {
  await member.customer.generate(picture('a fig on a table'));
  await seedHistory(house.pool, member.accountId, 30);
  await open(page);
  await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect
      .poll(() =>
        page.evaluate(() => {
          const boxes = (selector: string) =>
            [...document.querySelectorAll(`[role=gridcell] ${selector}`)].map(one => one.getBoundingClientRect());
          const [links, words, times] = [boxes('a'), boxes('a p:first-child'), boxes('time')];
          const { scrollWidth } = document.documentElement;
          const areWhole = links.every(
            ({ bottom, right }, index) =>
              words[index]!.bottom <= times[index]!.top &&
              times[index]!.bottom <= bottom &&
              times[index]!.right <= right,
          );
          return { areWhole, isWide: scrollWidth > innerWidth };
        }),
      )
      .toEqual({ areWhole: true, isWide: false });
  }
});

test('narrow tiles show the remaining retention in a short form that fits', async ({ page, member: { customer } }) => {
  for (const aspect_ratio of ['21:9', '9:16', '9:16'])
    await customer.generate(picture(`a fig, ${aspect_ratio}`, { aspect_ratio }));
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page);
  await expect(tile(page, 'a fig, 21:9').getByText('30 days left')).toBeVisible();
  await expect(tile(page, 'a fig, 9:16').getByText('30 d', { exact: true }).first()).toBeVisible();
  const isWhole = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[role=gridcell]')].every(
        cell => cell.querySelector('time')!.getBoundingClientRect().right <= cell.getBoundingClientRect().right,
      ),
    );
  expect(await isWhole()).toBe(true);
  await page.evaluate(() => (document.documentElement.style.fontSize = '24px'));
  await expect.poll(isWhole).toBe(true);
});
