import type { Locator, Page } from '@playwright/test';
import { App } from '../connecting-app.ts';
import { signUp } from '../session.ts';
import { openCreate, promptField } from './create-page.ts';
import { chooseFiles, pictureAddress, pictureFile } from './device-files.ts';
import { expect, make, test } from './someone.ts';

// long names and URLs without a place to break the line

const WORD = 'Abcdefghij'.repeat(7);
const SIZES = [
  [390, 844],
  [1440, 900],
] as const;

async function expectItFits(page: Page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over).toBeLessThanOrEqual(0);
}

/** Expects the text of an element to stay inside its box and that of its parent. */
async function expectInside(words: Locator) {
  await expect(words).toBeVisible();
  const past = await words.evaluate(element => {
    const [box, place] = [element, element.parentElement!].map(one => one.getBoundingClientRect());
    // text hidden by a clamp is fine
    const inside = getComputedStyle(element).overflowX === 'visible' ? element.scrollWidth - element.clientWidth : 0;
    return Math.max(place!.left - box!.left, box!.right - place!.right, inside);
  });
  expect(past).toBeLessThanOrEqual(1);
  await expectItFits(words.page());
}

for (const [width, height] of SIZES) {
  test.describe(`in a window ${width} pixels wide`, () => {
    test.use({ viewport: { width, height } });

    test('a long word in a prompt does not widen the form', async ({ someone: { page } }) => {
      if (width > 1000) await openCreate(page, '/create/mango');
      else {
        await page.goto('/create/mango');
        await page.getByRole('button', { name: 'Write a prompt' }).click();
      }
      const before = await promptField(page).boundingBox();
      await promptField(page).fill(WORD);
      expect((await promptField(page).boundingBox())!.width).toBe(before!.width);
    });

    test('a shared result and a shared collection with long words fit the page', async ({ someone }) => {
      const { page, call } = someone;
      const { request_id } = await make(someone, 'z_image', { prompt: WORD });
      const of = { name: WORD, notes: WORD, request_ids: [request_id] };
      const { id: collection_id } = await (await call('POST', '/api/collections', of)).json();
      for (const what of [{ request_id }, { collection_id }]) {
        const { url } = await (await call('POST', '/api/shares', { ...what, settings: true })).json();
        await page.goto(url);
        await expectInside(page.getByRole('heading', { name: WORD }));
        await expect(page.getByRole('img', { name: WORD })).toBeInViewport();
      }
    });

    test('a file, a collection, an API key and an account with long names fit the page', async ({ someone, house }) => {
      const { page, call } = someone;
      const long = `${WORD}.${someone.email}`;
      await house.pool.query('update accounts set email = $2 where id = $1', [someone.id, long]);
      await page.goto('/uploads');
      await chooseFiles(page.getByLabel('Choose files'), await pictureFile(`${WORD}.png`));
      await expect(page.getByRole('link', { name: WORD })).toBeVisible();
      await expectItFits(page);

      const made = await call('POST', '/api/collections', { name: WORD, notes: WORD.repeat(2) });
      const { id } = (await made.json()) as { id: string };
      await page.goto('/collections');
      await expect(page.getByRole('link', { name: WORD })).toBeVisible();
      await expectItFits(page);
      await page.goto(`/collections/${id}`);
      await expectInside(page.getByRole('heading', { name: WORD }));

      await page.goto('/account/api');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill(WORD);
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      await expectInside(page.getByRole('heading', { name: `Your new key: ${WORD}` }));
      await expectInside(page.getByText(WORD, { exact: true }).first());

      await page.goto(`/matrix`);
      await page.getByLabel('Prompt').fill(`a {${WORD}|woman in a red coat who walks along the shore at dusk}`);
      const chip = page.getByText('woman in a red coat').last();
      await expect(chip).toBeVisible();
      await expectInside(page.getByRole('group', { name: 'Across' }));

      const { request_id } = await make(someone, 'z_image', { prompt: 'a fig' });
      await page.goto(`/history/${request_id}`);
      const isPhone = width < 1024;
      if (isPhone) await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole(isPhone ? 'menuitem' : 'button', { name: 'Collect' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add to a collection' });
      await expect(dialog.getByRole('button', { name: WORD })).toBeVisible();
      expect((await dialog.getByRole('button', { name: WORD }).locator('svg').last().boundingBox())!.width).toBe(18);
      await dialog.getByLabel('Name of a new collection').fill('Figs');
      await expect(dialog.getByRole('button', { name: 'Create' })).toBeInViewport({ ratio: 1 });
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Leave', exact: true }).click();

      await page.getByRole('button', { name: /^Account of/ }).click();
      await expect(page.getByText(long)).toBeInViewport({ ratio: 1 });
    });

    test('long words in a character name and in an error message stay inside their boxes', async ({
      someone,
      house,
    }) => {
      const { page, call } = someone;
      const name = WORD.slice(0, 50);
      const about = { name, description: WORD.repeat(2), image: await pictureAddress() };
      const made = await call('POST', '/v1/characters', about);
      const { id } = (await made.json()) as { id: string };
      for (const path of ['/characters', `/characters/${id}`]) {
        await page.goto(path);
        await expectInside(page.getByRole('heading', { name }));
      }
      await page.getByRole('button', { name: `More for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expectInside(page.getByRole('button', { name: `Delete ${name}` }));
      await page.keyboard.press('Escape');

      const { request_id } = await make(someone, 'z_image', { prompt: 'a fig' });
      await house.pool.query(
        `update requests set status = 'failed', result = null, refunded = true, error_message = $2 where id = $1`,
        [request_id, WORD],
      );
      await house.pool.query('update accounts set operator = true where id = $1', [someone.id]);
      for (const path of ['/history', `/history/${request_id}`, `/admin/requests?account=${someone.id}`]) {
        await page.goto(path);
        await expectInside(page.getByText(WORD).first());
      }
      await page.goto(`/admin/requests?account=${WORD}`);
      await expectInside(page.getByRole('alert').getByText(WORD.slice(0, 40)));
    });

    test('the consent page of an app with a long name fits', async ({ someone: { page }, house }) => {
      const name = WORD.slice(0, 60);
      const app = await App.register(house.baseURL, { client_name: name });
      await page.goto(app.question());
      await expectInside(page.getByRole('heading', { name }));
      await expectInside(page.getByRole('strong').filter({ hasText: name }));
    });

    test('the ledger shows its numbers without sideways scrolling', async ({ someone }) => {
      const { page } = someone;
      await make(someone, 'z_image', { prompt: 'a fig on a table in the evening, painted on wood' });
      await page.goto('/account/gems');
      const ledger = page.getByRole('region', { name: 'Ledger' }).getByRole('table');
      await expect(ledger.getByRole('row')).toHaveCount(3);
      expect(await ledger.evaluate(({ parentElement: place }) => place!.scrollWidth - place!.clientWidth)).toBe(0);
    });
  });
}

test('a prompt of surrogate pairs is used whole as the file name of a download', async ({ someone }) => {
  const { page } = someone;
  const prompt = `a${'𠮷'.repeat(40)}`;
  await make(someone, 'z_image', { prompt, aspect_ratio: '1:1' });
  await page.goto('/history');
  await page.getByRole('gridcell').click();
  const saved = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Result' }).getByRole('link', { name: 'Download', exact: true }).click();
  expect((await saved).suggestedFilename()).toBe(`${prompt}.png`);
});

test('a truncated right-to-left name still shows its beginning', async ({ someone: { page, call } }) => {
  const name = 'صور قديمة من مدينة على شاطئ البحر عند غروب الشمس';
  await call('POST', '/api/collections', { name });
  await make({ call }, 'z_image', { prompt: 'a fig' });
  await page.setViewportSize({ width: 390, height: 844 });
  const expectBeginning = async (shown: Locator) =>
    expect(
      await shown.evaluate(element => {
        const letter = new Range();
        letter.setStart(element.firstChild!, 0);
        letter.setEnd(element.firstChild!, 1);
        return letter.getBoundingClientRect().right <= element.getBoundingClientRect().right;
      }),
    ).toBe(true);
  await page.goto('/collections');
  await expectBeginning(page.getByText(name));
  await page.goto('/history');
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByRole('checkbox', { name: /^Select: a fig/ }).check();
  await page.getByRole('button', { name: 'Collect' }).click();
  await expectBeginning(page.getByRole('dialog').getByText(name));
});

test('accessible names shorten a long prompt to its beginning, and the viewer shows all of it', async ({ someone }) => {
  const { page } = someone;
  const prompt = `${'a fig in the sun, '.repeat(500)}at last`;
  await make(someone, 'z_image', { prompt, aspect_ratio: '1:1' });
  const longest = () =>
    page.evaluate(() => {
      const names = [...document.querySelectorAll('[aria-label], [alt], [title]')].flatMap(element =>
        ['aria-label', 'alt', 'title'].map(name => element.getAttribute(name)?.length ?? 0),
      );
      return Math.max(...names);
    });
  for (const path of ['/create', '/history']) {
    await page.goto(path);
    await expect(page.getByRole('img', { name: 'a fig in the sun' }).first()).toBeVisible();
    expect(await longest(), path).toBeLessThan(200);
  }
  await page.getByRole('gridcell').click();
  const viewer = page.getByRole('dialog', { name: 'Result' });
  await expect(viewer).toContainText('at last');
  expect(await longest()).toBeLessThan(200);
});

test('a ten-digit balance fits at phone, tablet and desktop width', async ({ page, context, idle }) => {
  const { id } = await signUp(context, idle);
  await idle.pool.query('update accounts set balance = 2000095858 where id = $1', [id]);
  for (const width of [320, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${idle.baseURL}/account/gems`);
    await expect(page.getByRole('heading', { name: 'Usage' })).toBeVisible();
    const shown = page.getByText('2,000,095,858 gems').filter({ visible: true });
    await expect(shown).toHaveCount(2);
    await expectItFits(page);
    const rail = page.getByRole('complementary');
    if (width > 500) expect(await rail.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  }
});
