import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { openCreate, promptField } from './create-page.ts';
import { pictureAddress } from './device-files.ts';
import { hold } from './network.ts';
import { expect, freshName, make, test, untilItListens } from './someone.ts';

// the frame around every page of the studio

test('the palette, the shortcut sheet and letter shortcuts work by keyboard, but not inside fields', async ({
  someone: { page },
}) => {
  await page.goto('/characters');
  await expect(page.getByRole('heading', { name: 'No characters yet' })).toBeVisible();
  const palette = page.getByRole('dialog', { name: 'Find' });
  const find = page.getByRole('button', { name: /^Find/ });
  await find.press('Enter');
  await expect(palette).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(find).toBeFocused();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette.getByRole('option', { name: 'Mango' })).toBeAttached();
  await expectAccessible(page);
  await page.keyboard.type('new ref');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/references?new');
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/references');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await expect(page).toHaveURL('/uploads');
  // in fields and dialogs, letters are no shortcuts
  await page.goto('/characters?new');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('g u?');
  await expect(page.getByLabel('Name')).toHaveValue('g u?');
  await expect(page).toHaveURL('/characters?new');
});

test('letters typed right after Ctrl+K go to the palette, even while its code loads', async ({ someone: { page } }) => {
  await openCreate(page, '/create/z_image');
  await page.waitForLoadState('networkidle');
  const goOn = await hold(page, '**/_next/static/**/*.js');
  await promptField(page).focus();
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('histx');
  await page.keyboard.press('Backspace');
  goOn();
  const palette = page.getByRole('dialog', { name: 'Find' });
  await expect(palette.getByRole('combobox')).toHaveValue('hist');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('ory');
  await expect(palette.getByRole('option').first()).toHaveText(/History/);
  await page.keyboard.press('Escape');
  await expect(promptField(page)).toBeFocused();
  await expect(promptField(page)).toHaveValue('');
  await page.getByRole('button', { name: /^Find/ }).click();
  await expect(palette.getByRole('combobox')).toHaveValue('');
});

test('the palette finds a result by words of its prompt, and Enter opens it', async ({ someone }) => {
  const { page } = someone;
  const { request_id } = await make(someone, 'z_image', { prompt: 'a quiet garden behind the mill' });
  await page.goto('/uploads');
  const palette = page.getByRole('dialog', { name: 'Find' });
  await page.getByRole('button', { name: /^Find/ }).press('Enter');
  await expect(palette.getByRole('combobox')).toBeFocused();
  const nothing = palette.getByText('Nothing found.');
  // the message is not shown before the search has finished
  const release = await hold(page, '**/v1/requests?*q=zebra*');
  await palette.getByRole('combobox').fill('zebra crossing');
  await expect(palette.getByText('Searching')).toBeVisible();
  await expect(nothing).toBeHidden();
  release();
  await expect(nothing).toBeVisible();
  await palette.getByRole('combobox').fill('garden behind');
  await expect(palette.getByRole('option', { name: /quiet garden/, selected: true })).toBeVisible();
  await expect(nothing).toBeHidden();
  // results of the previous search that do not match are not shown meanwhile
  const later = await hold(page, '**/v1/requests?*q=garden*gate*');
  await palette.getByRole('combobox').fill('garden gate');
  await expect(palette.getByText('Searching')).toBeVisible();
  later();
  await expect(nothing).toBeVisible();
  await palette.getByRole('combobox').fill('garden behind');
  await expect(palette.getByRole('option', { name: /quiet garden/, selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/history/${request_id}`);
});

/** Simulates Android's back gesture: an Escape whose keydown event does not reach the page. */
async function goBack(page: Page): Promise<void> {
  await page.evaluate(() =>
    addEventListener('keydown', event => event.stopImmediatePropagation(), { capture: true, once: true }),
  );
  await page.keyboard.press('Escape');
}

test('the back gesture of a phone closes one layer at a time, and asks before unsaved input is lost', async ({
  someone,
}) => {
  const { page } = someone;
  await make(someone, 'z_image', { prompt: 'a fig' });
  await page.goto('/history');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  const bar = page.getByRole('toolbar', { name: 'Selected results' });
  const menu = page.getByRole('menu');
  await expect(bar).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await expect(menu).toBeVisible();
  await goBack(page);
  await expect(menu).toBeHidden();
  await expect(bar).toBeVisible();
  await goBack(page);
  await expect(bar).toBeHidden();
  await page.getByRole('gridcell').first().click();
  const viewer = page.getByRole('dialog', { name: 'Result' });
  await viewer.getByRole('button', { name: 'Collect' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(2);
  await goBack(page);
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await goBack(page);
  await expect(viewer).toBeHidden();
  await expect(page).toHaveURL('/history');

  await page.goto('/characters');
  await page.getByRole('button', { name: 'New character' }).first().click();
  const name = page.getByRole('dialog').getByLabel('Name');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await name.pressSequentially('Ana');
  // Escape asks only once, although it triggers the back handling as well
  for (const ask of [goBack, () => page.keyboard.press('Escape'), goBack]) {
    await ask(page);
    await expect(question).toBeVisible();
    await goBack(page);
    await expect(question).toBeHidden();
    await expect(name).toHaveValue('Ana');
  }
  await goBack(page);
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Find' })).toBeVisible();
  await goBack(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).toHaveURL('/characters');
});

test('the bottom bar of a phone marks the entry of the current page', async ({ someone: { page } }) => {
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

test('the desktop rail marks the entry of the current page, and Create for Matrix', async ({ someone: { page } }) => {
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

test('Matrix opens with the model that was used last', async ({ someone: { page } }) => {
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('a fig');
  await page.goto('/matrix');
  await expect(page.getByText('Vary two settings of Z-Image')).toBeVisible();
});

test('one step back leads to the previous page after a form was opened and closed', async ({ someone: { page } }) => {
  await page.goto('/uploads');
  const goTo = async (path: string, name: string) => {
    await page.getByRole('navigation', { name: 'Main', exact: true }).locator(`a[href="${path}"]`).click();
    await page.getByRole('button', { name }).click();
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
    await expect(page).toHaveURL(`${path}?new`);
  };
  const forms = { '/characters': 'New character', '/references': 'New reference', '/collections': 'New collection' };
  for (const [path, name] of Object.entries(forms)) {
    await goTo(path, name);
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('button', { name })).toBeFocused();
    await page.goBack();
    await expect(page).toHaveURL('/uploads');
  }
  await goTo('/collections', 'New collection');
  await page.keyboard.type('Orchard');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Orchard' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/collections');
});

test('an empty list shows its New button in the final place while it still loads', async ({
  someone: { page, call },
}) => {
  const lists = [
    ['/characters', '**/v1/characters?*', 'New character'],
    ['/references', '**/v1/references?*', 'New reference'],
    ['/collections', '**/api/collections', 'New collection'],
  ] as const;
  for (const [path, address, name] of lists) {
    const answer = await hold(page, address);
    await page.goto(path);
    const button = page.getByRole('button', { name });
    await expect(button).toBeVisible();
    await expect(page.getByRole('main').locator('header').getByRole('button', { name })).toHaveCount(0);
    answer();
  }
  expect((await call('POST', '/api/collections', { name: 'Figs' })).status()).toBe(201);
  const answer = await hold(page, '**/api/collections');
  await page.reload();
  await expect(page.getByRole('main').getByRole('button', { name: 'New collection' })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toBeVisible();
  answer();
  await expect(page.getByRole('link', { name: 'Figs' })).toBeVisible();
});

test('data that the server already has comes with the page and is not requested again', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  // a fixed time, so that no query becomes stale during hydration
  await page.clock.setFixedTime(new Date());
  const asked: string[] = [];
  page.on('request', request => asked.push(request.url().replace(idle.baseURL, '')));
  for (const path of ['/create', '/history']) {
    // notices are requested last, when the page is idle
    const quiet = page.waitForResponse('**/api/account/notices');
    await page.goto(idle.baseURL + path);
    await quiet;
  }
  expect(asked.filter(path => /status=|\?removed=|\/api\/examples|\/v1\/architectures$/.test(path))).toEqual([]);

  await call('POST', '/v1/z_image/generate', { prompt: 'a pear' });
  expect(await (await context.request.get(`${idle.baseURL}/history`)).text()).toContain('aria-label="1 in progress"');
});

test('a signed-out visitor is redirected to sign in, with the address to return to', async ({ page }) => {
  await page.goto('/characters?new');
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fcharacters/);
});

test('a missing studio page answers 404 with a link to its section', async ({ someone: { page } }) => {
  for (const [path, way] of [
    ['/characters', 'See your characters'],
    ['/collections', 'See your collections'],
    ['/recipes', 'See all recipes'],
    ['/account/webhooks', 'See your webhooks'],
    ['/history', 'See your history'],
    ['/create', 'Go on creating'],
  ]) {
    const answer = await page.goto(`${path}/${randomUUID()}`);
    expect(answer?.status()).toBe(404);
    await expect(page).toHaveTitle('Not found · Pomona');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page.getByRole('link', { name: way })).toHaveAttribute('href', path!);
    await expectAccessible(page);
  }
  const models = page.getByRole('navigation', { name: 'Models' });
  await expect(models.getByRole('link', { name: 'Mango' })).toHaveAttribute('href', '/create/mango');
  await page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'Your history is empty' })).toBeVisible();
});

test('the web app manifest describes the studio and the true sizes of its icons', async ({ page, request }) => {
  await page.goto('/docs');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await (await request.get(String(address))).json();
  expect(manifest).toMatchObject({ name: 'Pomona', start_url: '/create', display: 'standalone' });
  for (const { src, sizes } of manifest.icons) {
    const bytes = await (await request.get(src)).body();
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
});

test('labels of the bottom bar do not overlap when the font size is doubled, also with the operator entry', async ({
  someone: { page, id },
  house,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const entries of [4, 5]) {
    if (entries === 5) await house.pool.query('update accounts set operator = true where id = $1', [id]);
    await page.goto('/characters');
    const bar = page.getByRole('navigation', { name: 'Main, short' });
    await expect(bar.getByRole('link')).toHaveCount(entries);
    const height = (await bar.boundingBox())!.height;
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
    const names = await bar.evaluate(nav =>
      [...nav.querySelectorAll('a span')].map(name => {
        const { left, right, top, bottom } = name.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
    for (const [index, one] of names.entries()) {
      expect(one.left).toBeGreaterThanOrEqual(4);
      expect(one.right).toBeLessThanOrEqual(386);
      expect(one.bottom).toBeLessThanOrEqual(844);
      for (const other of names.slice(index + 1)) {
        const isApart = one.right + 8 <= other.left || other.right + 8 <= one.left;
        expect(isApart || one.bottom <= other.top || other.bottom <= one.top).toBe(true);
      }
    }
    // other elements reserve at most this much space for the bar
    expect((await bar.boundingBox())!.height).toBeLessThanOrEqual(2 * height);
    await expectAccessible(page);
  }
});

test.describe('on a desktop', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('the account menu lies above the page, and its items open pages without a full load', async ({
    someone: { page },
  }) => {
    await openCreate(page, '/create/mango');
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'API keys' }).click();
    await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    await expect(page).toHaveURL('/account/api');
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
  });

  test('a menu opened by keyboard focuses its first item, and returns the focus when closed', async ({
    someone: { page },
  }) => {
    await page.goto('/uploads');
    const account = page.getByRole('button', { name: /^Account of/ });
    // the first key loads the code of the menu; later the code is there
    for (const key of ['Enter', 'Space', 'ArrowDown']) {
      await account.focus();
      await page.keyboard.press(key);
      await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(account).toBeFocused();
    }
    await page.reload();
    await account.click();
    await expect(page.getByRole('menu')).toBeFocused();
  });

  test('a dialog opened from a menu returns the focus to the menu button, also when opened again', async ({
    someone,
  }) => {
    const { page } = someone;
    await make(someone, 'z_image', { prompt: 'a fig' });
    await openCreate(page, '/create/z_image');
    const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true });
    for (const _ of ['the first time', 'the second']) {
      await more.press('Enter');
      await page.getByRole('menuitem', { name: 'Share' }).press('Enter');
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(more).toBeFocused();
    }
  });
});

test('in forced-colors mode a focused menu item and a dialog have an outline', async ({ someone: { page } }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/uploads');
  await page.getByRole('button', { name: /^Account of/ }).press('Enter');
  const row = page.getByRole('menuitem', { name: 'Profile' });
  await expect(row).toBeFocused();
  await expect(row).toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Find' })).toHaveCSS('outline-style', 'solid');
});

test('in forced-colors mode the knob of a switch that is on is visible', async ({ someone: { page, call } }) => {
  const hook = await call('POST', '/v1/webhooks', { url: 'https://example.com/hook', events: ['request.completed'] });
  const { id } = (await hook.json()) as { id: string };
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.goto(`/account/webhooks/${id}`);
  const live = page.getByRole('switch', { name: 'Live' });
  await expect(live).toBeChecked();
  const groundOf = (one: Element | null) => getComputedStyle(one!).backgroundColor;
  const knob = await live.evaluate(one => getComputedStyle(one.nextElementSibling!).backgroundColor);
  expect(knob).not.toBe(await live.evaluate(groundOf));
});

test('if more contrast is requested, faint text and edges exceed 7:1, and lines exceed 4.5:1', async ({
  someone: { page },
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ contrast: 'more' });
  await page.goto('/uploads');
  await expect(page.locator('aside')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ contrast: 'more', colorScheme });
    // text meets AAA, and borders meet AA for essential graphics
    for (const [name, least] of [
      ['faint', 7],
      ['line', 4.5],
      ['edge', 7],
    ] as const)
      expect(await contrastOf(page, name), `${name}, ${colorScheme}`).toBeGreaterThan(least);
  }
});

/** Returns the contrast ratio of a theme colour against the background. */
const contrastOf = (page: Page, name: string) =>
  page.evaluate(name => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
    const lightOf = (colour: string) => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = `var(--color-${colour})`;
      canvas.fillStyle = getComputedStyle(probe).color;
      probe.remove();
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(part => {
        const share = part / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      }) as [number, number, number];
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [light, dark] = [lightOf('paper'), lightOf(name)].sort((a, b) => b - a) as [number, number];
    return (light + 0.05) / (dark + 0.05);
  }, name);

test('the focus ring of a tab does not overlap its label', async ({ someone: { page } }) => {
  await page.goto('/account/profile');
  const tab = page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Profile' });
  await tab.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(tab).toBeFocused();
  const ring = await tab.evaluate(one => {
    const { outlineStyle, outlineWidth, left, right } = getComputedStyle(one, '::after');
    const row = one.parentElement!.getBoundingClientRect();
    return { outlineStyle, outlineWidth, left, right, room: one.getBoundingClientRect().x - row.x };
  });
  // the focus ring is inside the visible row, and does not overlap the label
  expect(ring).toEqual({ outlineStyle: 'solid', outlineWidth: '2px', left: '-4px', right: '-4px', room: 4 });
  await expect(tab).toHaveCSS('outline-style', 'none');
});

test('an element focused by Tab is never hidden behind the bottom bars', async ({ someone }) => {
  const { page } = someone;
  await make(someone, 'z_image', { prompt: 'a medlar', aspect_ratio: '9:16' });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [path, width, last] of [
    ['/recipes', 390, 'Score a video'],
    ['/create/z_image', 390, 'Use settings'],
    ['/create/z_image', 768, 'Use settings'],
  ] as const) {
    await page.setViewportSize({ width, height: 700 });
    await page.goto(path);
    const end = page.getByRole('link', { name: last, exact: true });
    await expect(end).toBeVisible();
    const isAtEnd = () => end.evaluate(one => one === document.activeElement);
    while (!(await isAtEnd())) {
      await page.keyboard.press('Tab');
      const shown = await page.evaluate(() => {
        const one = document.activeElement!;
        const { x, y, width, height } = one.getBoundingClientRect();
        const there = document.elementFromPoint(x + width / 2, y + height / 2);
        return one.contains(there) || there?.contains(one) || one.outerHTML;
      });
      expect(shown, `${path} at ${width}`).toBe(true);
    }
  }
});

test('form fields are inert until the page has hydrated', async ({ someone, house }) => {
  const { page, id } = someone;
  const { request_id } = await make(someone, 'z_image', { prompt: 'a fig' });
  await house.pool.query('update accounts set operator = true where id = $1', [id]);
  for (const [path, ...labels] of [
    ['/admin/engines/connect', 'Address'],
    ['/admin/accounts', 'Search accounts'],
    [`/history/${request_id}`, 'Add a tag'],
    ['/account/gems', 'Kind of entry', '90 days'],
  ] as const) {
    const goOn = await hold(page, '**/_next/static/chunks/*.js');
    await page.goto(path, { waitUntil: 'commit' });
    const fields = labels.map(label => page.getByLabel(label, { exact: true }));
    for (const field of fields) await expect(field.and(page.locator('[inert], [inert] *'))).toBeAttached();
    goOn();
    for (const field of fields) await expect(field.and(page.locator(':not([inert], [inert] *)'))).toBeAttached();
  }
});

test('a printed page has no navigation and is as wide as the paper', async ({ someone: { page } }) => {
  await page.goto('/characters');
  await page.emulateMedia({ media: 'print' });
  for (const width of [718, 1047]) {
    await page.setViewportSize({ width, height: 1047 });
    expect(await page.getByRole('main').boundingBox()).toMatchObject({ x: 0, width });
    await expect(page.getByRole('heading', { name: 'Characters', exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'History' }).filter({ visible: true })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Account of/ }).filter({ visible: true })).toHaveCount(0);
  }
});

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } });

  test('a page with tabs opens at its top, with the current tab in view', async ({ someone: { page } }) => {
    await page.goto('/account/gems');
    await expect(page.getByRole('link', { name: 'Gems', exact: true })).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  test('a focused result is scrolled into view above the composer', async ({ someone }) => {
    const { page } = someone;
    await make(someone, 'z_image', { prompt: 'a fig', aspect_ratio: '1:1' });
    await page.goto('/create/z_image');
    const result = page.getByRole('link', { name: 'Open: a fig' });
    await result.focus();
    const bar = await page.getByRole('region', { name: 'Composer' }).boundingBox();
    // scrolling is animated
    await expect.poll(async () => bar!.y - Math.max(0, (await result.boundingBox())!.y)).toBeGreaterThan(100);
  });

  test('the navigation scrolls away with the page header, and is back at the top of the page', async ({ someone }) => {
    const { page } = someone;
    await make(someone, 'z_image', { prompt: 'a fig' });
    await page.setViewportSize({ width: 360, height: 225 });
    await page.goto('/create/z_image');
    const ways = page.getByRole('navigation', { name: 'Main, short' });
    await expect(ways).toBeInViewport({ ratio: 1 });
    await page.getByRole('link', { name: 'Open: a fig' }).scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, 400));
    await expect(ways).not.toBeInViewport();
    const bar = (await page.getByRole('region', { name: 'Composer' }).boundingBox())!;
    expect(bar.y + bar.height).toBe(225);
    expect(bar.height).toBeLessThan(70);
    await page.evaluate(() => scrollTo(0, 0));
    await ways.getByRole('link', { name: 'History' }).click();
    await expect(page).toHaveURL(/history/);
  });

  test('fixed elements leave room for form fields, the video and the prompt', async ({ someone }) => {
    const { page } = someone;
    const { request_id } = await make(someone, 'ltx_video', { prompt: 'waves', resolution: '480p' });
    await page.goto('/characters?new');
    const dialog = page.getByRole('dialog');
    for (const label of ['Name', 'Handle', 'Notes']) {
      await dialog.getByLabel(label).focus();
      await expect(dialog.getByLabel(label)).toBeInViewport({ ratio: 1 });
    }
    await dialog.getByRole('button', { name: 'Save character' }).focus();
    await expect(dialog.getByRole('button', { name: 'Save character' })).toBeInViewport({ ratio: 1 });
    await page.goto(`/history/${request_id}`);
    const video = page.locator('video');
    await expect(video).toBeVisible();
    expect((await video.boundingBox())!.height).toBeGreaterThan(120);
    await page.goto('/create/ltx_video');
    expect((await page.getByRole('region', { name: 'Composer' }).boundingBox())!.height).toBeLessThan(80);
    await page.getByRole('button', { name: 'Write a prompt' }).click();
    await expect(dialog.getByRole('textbox', { name: 'Prompt' })).toBeInViewport({ ratio: 1 });
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the zoom buttons stay fully visible when the root font size is doubled', async ({ someone }) => {
    const { page } = someone;
    const { request_id } = await make(someone, 'z_image', { prompt: 'a fig' });
    await page.goto(`/history/${request_id}`);
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
    for (const name of ['Zoom out', 'Fit to screen'])
      await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  });

  test('a menu opens above the toasts', async ({ someone: { page, call } }) => {
    const image = await pictureAddress();
    const name = freshName();
    await call('POST', '/v1/references', { name, handle: name.toLowerCase(), kind: 'location', image });
    await page.goto('/references');
    const more = page.getByRole('button', { name: `More for ${name}` });
    await more.click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    await page.getByRole('dialog').getByLabel('Notes').fill('at low tide');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText(`${name} is changed.`, { exact: true })).toBeVisible();
    await more.click();
    await expect(page.getByRole('menuitem')).not.toHaveCount(0);
    for (const item of await page.getByRole('menuitem').all()) await item.click({ trial: true });
  });

  test('the file hint on a touch screen does not mention dropping files', async ({ someone: { page } }) => {
    await page.goto('/characters');
    await page.getByRole('button', { name: 'New character' }).click();
    const about = page.getByRole('dialog').getByText('One face, well lit, works best.');
    await expect(about).toHaveText('A JPEG, PNG, WebP, AVIF or GIF. One face, well lit, works best.', {
      useInnerText: true,
    });
  });

  test('the form on a touch screen does not mention keys', async ({ someone: { page } }) => {
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.goto('/create/mango');
    await page.getByRole('button', { name: 'Write a prompt' }).tap();
    await expect(page.getByRole('dialog', { name: 'Compose' }).getByText('left after')).toBeVisible();
    await expect(page.getByText('Ctrl Enter')).toBeHidden();
  });

  test('touch targets respond over about 44 pixels, even if they look smaller', async ({ someone: { page, call } }) => {
    const name = freshName();
    const character = { name, handle: name.toLowerCase(), image: await pictureAddress() };
    expect((await call('POST', '/v1/characters', character)).status()).toBe(201);
    const { request_id } = await make({ call }, 'z_image', { prompt: 'a fig' });
    expect((await call('PUT', `/v1/requests/${request_id}/favourite`)).status()).toBe(200);
    const looks = [
      ['/characters', page.getByTitle('Copy the handle')],
      ['/account/notices', page.locator('label').filter({ hasText: 'By mail' }).first()],
      [
        '/account/notices',
        page
          .locator('label')
          .filter({ has: page.getByRole('switch') })
          .first(),
      ],
      ['/recipes/product_shot', page.getByRole('button', { name: /^Browse/ })],
      ['/recipes/product_shot', page.getByRole('slider')],
      [`/history/${request_id}`, page.getByLabel('Add a tag')],
      ['/history', page.getByRole('button', { name: 'Favourite: a fig' })],
    ] as const;
    for (const [path, target] of looks) {
      await page.goto(path);
      await expect(target).toBeVisible();
      await untilItListens(target);
      const answers = await target.evaluate(one => {
        one.scrollIntoView({ block: 'center', behavior: 'instant' });
        const { x, y, width, height } = one.getBoundingClientRect();
        const area = one.closest('label') ?? one;
        return [-21.75, 21.75].map(off =>
          area.contains(document.elementFromPoint(x + width / 2, y + height / 2 + off)),
        );
      });
      expect(answers, `${path} ${String(target)}`).toEqual([true, true]);
    }
  });
});
