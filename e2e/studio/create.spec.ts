import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import type { EstimateWire, ListWire, RequestWire } from '#lib/contract/schemas';
import { expectAccessible } from '../accessible.ts';
import { expect, test as base } from '../fixtures.ts';
import { chooseFiles, untilItListens } from './someone.ts';

interface Creator {
  page: Page;
  context: BrowserContext;
  /** What the server knows, asked with the session of the page. */
  requests: () => Promise<RequestWire[]>;
  balance: () => Promise<number>;
}

async function signUp(context: BrowserContext, baseURL: string | undefined) {
  const answer = await context.request.post('/api/sign-up', {
    headers: { origin: String(baseURL) },
    data: { email: `${randomUUID()}@example.com`, password: randomUUID(), name: 'Ana' },
  });
  expect(answer.status(), await answer.text()).toBe(201);
}

/** Somebody new who is signed in. Errors of the page and of its content policy fail the test. */
const test = base.extend<{ creator: Creator }>({
  creator: async ({ page, context, baseURL, house }, use) => {
    const faults: string[] = [];
    page.on('pageerror', error => faults.push(String(error)));
    page.on('console', message => {
      if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) faults.push(message.text());
    });
    await signUp(context, baseURL);
    const get = async <T>(path: string): Promise<T> => {
      const found = await context.request.get(path, { headers: { origin: String(baseURL) } });
      expect(found.status(), await found.text()).toBe(200);
      return await found.json();
    };
    void house;
    await use({
      page,
      context,
      requests: async () => (await get<ListWire<RequestWire>>('/v1/requests?limit=50')).data,
      balance: async () => (await get<{ gems: { balance: number } }>('/v1/account')).gems.balance,
    });
    expect(faults).toEqual([]);
  },
});

// films take a while on a small machine
test.describe.configure({ timeout: 120_000 });

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
const create = (page: Page) => page.getByRole('button', { name: /^Create [\d,]+ gem/ });
const results = (page: Page) => page.getByRole('region', { name: 'Results' });

/** Opens a form and waits until the page is alive: what is typed before may be lost. */
async function open(page: Page, path: string) {
  await page.goto(path);
  await untilItListens(page.locator('form#create'));
}

test('a picture: the price is known before, the card grows at once, the picture comes by itself', async ({
  creator,
}) => {
  const { page } = creator;
  await open(page, '/create/z_image');
  await expectAccessible(page);
  await prompt(page).fill('A lighthouse at dusk');
  await page.getByRole('radio', { name: '1:1' }).check();
  const before = await creator.balance();
  const price = Number(/\d+/.exec(await create(page).innerText())?.[0]);
  await create(page).click();
  const card = results(page).getByRole('article', { name: 'A lighthouse at dusk' });
  await expect(card).toBeVisible();
  await expect(card.getByRole('img', { name: 'A lighthouse at dusk' })).toBeVisible({ timeout: 30_000 });
  const [made] = await creator.requests();
  expect(made).toMatchObject({ status: 'completed', billing: { gems_charged: price } });
  expect(made?.result?.width).toBe(made?.result?.height);
  expect(await creator.balance()).toBe(before - price);
  await expectAccessible(page);
});

test('a clip from a picture that was made before', async ({ creator }) => {
  const { page } = creator;
  await open(page, '/create/z_image');
  await prompt(page).fill('A boat on a lake');
  await create(page).click();
  await expect(results(page).getByRole('img', { name: 'A boat on a lake' })).toBeVisible({ timeout: 30_000 });
  await open(page, '/create/ltx_video');
  await page.getByRole('button', { name: 'Browse the studio: First frame' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'A boat on a lake' }).click();
  await expect(page.getByRole('button', { name: 'Remove first frame' })).toBeVisible();
  await page.getByRole('radio', { name: '240p' }).check();
  await prompt(page).fill('The boat rocks');
  await page.keyboard.press('Control+Enter');
  await expect(results(page).getByRole('img', { name: 'The boat rocks' })).toBeVisible({ timeout: 60_000 });
  const [made] = await creator.requests();
  expect(made).toMatchObject({ type: 'video', status: 'completed', architecture: 'ltx_video' });
});

test('a sound, to be played', async ({ creator }) => {
  const { page } = creator;
  await open(page, '/create/seed_audio');
  await prompt(page).fill('Rain on a tin roof');
  await create(page).click();
  const card = results(page).getByRole('article', { name: 'Rain on a tin roof' });
  await card.getByRole('button', { name: 'Play' }).click({ timeout: 60_000 });
  await expect(card.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expectAccessible(page);
});

test('the compiled validator works under the content policy', async ({ creator }) => {
  const { page } = creator;
  const compiled = page.waitForResponse(/studio-validators/);
  await open(page, '/create/mango');
  await compiled;
  await create(page).click();
  await expect(page.getByText('Say what to make.')).toBeVisible();
  await expect(prompt(page)).toBeFocused();
  await expect(prompt(page)).toHaveAttribute('aria-invalid', 'true');
  expect(await creator.requests()).toEqual([]);
});

test('a lost answer, a reload and a double click are charged once', async ({ creator }) => {
  const { page } = creator;
  const keys: (string | undefined)[] = [];
  await open(page, '/create/z_image');
  await page.route('**/generate', async route => {
    keys.push(route.request().headers()['idempotency-key']);
    // the server has it, the page never learns
    await route.fetch();
    await route.abort();
  });
  await prompt(page).fill('A hut in the hills');
  await create(page).dblclick();
  await expect(results(page).getByText('No answer yet')).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await page.reload();
  await expect(results(page).getByRole('img', { name: 'A hut in the hills' })).toBeVisible({ timeout: 30_000 });
  expect(new Set(keys).size).toBe(1);
  expect(await creator.requests()).toHaveLength(1);
});

test('what one account could not send is never sent for the next one', async ({ creator, baseURL }) => {
  const { page, context } = creator;
  await open(page, '/create/z_image');
  await page.route('**/generate', route => route.abort());
  await prompt(page).fill('A secret garden');
  await create(page).click();
  await expect(results(page).getByText('No answer yet')).toBeVisible();
  await signUp(context, baseURL);
  await page.unroute('**/generate');
  await open(page, '/create/z_image');
  await expect(page.getByRole('heading', { name: 'Nothing has grown yet' })).toBeVisible();
  await expect(prompt(page)).toHaveValue('');
  expect(await creator.requests()).toEqual([]);
});

test('several at once are as many requests with seeds in a row', async ({ creator }) => {
  const { page } = creator;
  await open(page, '/create/z_image');
  await prompt(page).fill('Three pears');
  await page.getByText('More settings').click();
  await page.getByRole('textbox', { name: 'Seed' }).fill('41');
  await page.getByRole('radiogroup', { name: 'How many' }).getByRole('radio', { name: '3' }).check();
  await expect(create(page)).toContainText('30');
  await create(page).click();
  await expect(results(page).getByRole('img', { name: 'Three pears' })).toHaveCount(3, { timeout: 60_000 });
  const made = await creator.requests();
  expect(made.map(({ result }) => result?.seed).toSorted()).toEqual([41, 42, 43]);
});

test('the form and its code are one: read, pasted, and dropped as a file', async ({ creator }) => {
  const { page } = creator;
  await open(page, '/create/z_image');
  await prompt(page).fill("A fox's den");
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('/v1/z_image/generate');
  await expect(page.getByRole('dialog')).toContainText('den');
  await expectAccessible(page);
  await page
    .getByLabel('Fill the form from code')
    .fill(`curl -X POST http://x/v1/mango/generate -d '{"prompt": "Two owls", "aspect_ratio": "21:9", "seed": 7}'`);
  await page.getByRole('button', { name: 'Fill the form' }).click();
  await expect(page).toHaveURL(/\/create\/mango$/);
  await expect(prompt(page)).toHaveValue('Two owls');
  await expect(page.getByRole('radio', { name: '21:9' })).toBeChecked();
  await page.getByText('More settings').click();
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('7');

  await open(page, '/create/kiwi');
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page
    .getByLabel('Fill the form from code')
    .fill('{"prompt": "An owl wakes", "image": "https://example.com/owl.png", "resolution": "4K"}');
  await page.getByRole('button', { name: 'Fill the form' }).click();
  await expect(prompt(page)).toHaveValue('An owl wakes');
  const notice = page.getByRole('region', { name: /^Notifications/ });
  await expect(notice).toContainText('"image" is no field of kiwi and was ignored; the nearest field is first_image.');
  await expect(notice).toContainText('resolution must be one of "480p", "720p", "1080p"; it is "4K".');
  expect(await creator.requests()).toEqual([]);

  await open(page, '/create/z_image');
  await prompt(page).fill('A windmill');
  await page.getByRole('radio', { name: '1:1' }).check();
  await create(page).click();
  const picture = results(page).getByRole('img', { name: 'A windmill' });
  await expect(picture).toBeVisible({ timeout: 30_000 });
  const address = (await creator.requests())[0]?.result?.url ?? '';
  await prompt(page).fill('something else');
  await page.getByRole('radio', { name: '16:9' }).check();
  await page.evaluate(async url => {
    const file = new File([await (await fetch(url)).blob()], 'windmill.png', { type: 'image/png' });
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(file);
    document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
  }, address);
  await expect(prompt(page)).toHaveValue('A windmill');
  await expect(page.getByRole('radio', { name: '1:1' })).toBeChecked();
  await page.getByText('More settings').click();
  await expect(page.getByRole('textbox', { name: 'Seed' })).not.toHaveValue('');
});

test('mentions: found by keyboard, shown as chips, counted, and unknown ones marked', async ({ creator, baseURL }) => {
  const { page, context } = creator;
  const saved = await context.request.post('/v1/characters', {
    headers: { origin: String(baseURL) },
    data: { name: 'Ana Plum', handle: `ana-${randomUUID().slice(0, 6)}`, image: PORTRAIT },
  });
  const { handle } = (await saved.json()) as { handle: string };
  await open(page, '/create/mango');
  await prompt(page).pressSequentially('Portrait of @ana');
  await expect(page.getByRole('option', { name: /Ana Plum/ })).toBeVisible();
  await expectAccessible(page);
  const asked = page.waitForResponse(/estimate/);
  await page.keyboard.press('Enter');
  await expect(prompt(page)).toHaveValue(`Portrait of @${handle} `);
  await expect(page.locator('[data-mention="known"]')).toHaveText(`@${handle}`);
  await expect(page.getByText('1 of 10 images')).toBeVisible();
  expect(((await (await asked).json()) as EstimateWire).mentions).toMatchObject([{ handle, kind: 'character' }]);
  await prompt(page).fill(`Portrait of @${handle}-style, not café@${handle} `);
  await expect(page.locator('[data-mention]')).toHaveText([`@${handle}`]);
  await expect(page.locator('[data-mention="known"]')).toHaveCount(1);
  await prompt(page).pressSequentially('and @nobody-here ');
  await expect(page.locator('[data-mention="unknown"]')).toHaveText('@nobody-here');
  await expect(page.getByText(/@nobody-here is neither/)).toBeVisible();
});

test('an upload shows its progress and becomes an image of the request', async ({ creator }) => {
  const { page } = creator;
  await open(page, '/create/mango');
  const buffer = Buffer.from(PORTRAIT.split(',')[1] ?? '', 'base64');
  const file = { name: 'face.png', mimeType: 'image/png', buffer };
  await chooseFiles(page.getByLabel('Reference image: take a file'), file);
  await expect(page.getByRole('button', { name: 'Remove reference image' })).toBeVisible();
  await expect(page.getByText('1 of 10 images')).toBeVisible();
  await prompt(page).pressSequentially('@im');
  await expect(page.getByRole('option', { name: /Image 1/ })).toBeVisible();
});

test('variants narrow the form, and what one sets is there after a reload', async ({ creator }) => {
  const { page } = creator;
  await open(page, '/create/mango');
  const resolution = page.getByRole('radiogroup', { name: 'Resolution' });
  await expect(resolution.getByRole('radio')).toHaveCount(2);
  await page.getByRole('radio', { name: 'mango-v2', exact: true }).check();
  await expect(resolution.getByRole('radio')).toHaveCount(3);
  await resolution.getByRole('radio', { name: '4K' }).check();
  await prompt(page).fill('Kept');
  await open(page, '/create/melon');
  const chosen = async () => (await creator.context.cookies()).find(({ name }) => name === 'architecture')?.value;
  await expect.poll(chosen).toBe('melon');
  await open(page, '/create');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Melon');
  await open(page, '/create/mango');
  await expect(prompt(page)).toHaveValue('Kept');
  await expect(resolution.getByRole('radio', { name: '4K' })).toBeChecked();
  await page.getByRole('radio', { name: 'mango', exact: true }).check();
  await expect(resolution.getByRole('radio', { name: '2K' })).toBeChecked();
});

test('what runs is seen on another device, and can be cancelled there', async ({ creator, browser, baseURL }) => {
  const { page, context } = creator;
  await open(page, '/create/melon');
  await prompt(page).fill('A long walk');
  await page.getByRole('radio', { name: '16 s' }).check();
  await create(page).click();
  const other = await browser.newContext({ storageState: await context.storageState(), baseURL: String(baseURL) });
  const phone = await other.newPage();
  await phone.goto('/account/profile');
  await phone.getByRole('button', { name: '1 in the making' }).click();
  await expect(phone).toHaveTitle(/^\(1\)/);
  // the title of a page may come after the count
  await phone.evaluate(() => (document.querySelector('title')!.textContent = 'Late'));
  await expect(phone).toHaveTitle('(1) Late');
  await phone.getByRole('button', { name: 'Cancel' }).click();
  await expect(phone.getByText('will not be returned')).toBeVisible();
  await phone.getByRole('button', { name: 'Stop it' }).click();
  await expect(phone.getByRole('button', { name: 'in the making' })).toHaveCount(0);
  await expect(results(page).getByText('Cancelled')).toBeVisible();
  await other.close();
});

/** A plain tone, 64 × 64. */
const PORTRAIT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAn0lEQVRoge2SQQkAQRDDKrFyTmJkrYh7hIFCBKSh4etpohuwAdUrsgv1LtEN2IDqFdmFepfoBmxA9YrsQr1LdAM2oHpFdqHeJboBG1C9IrtQ7xLdgA2oXpFdqHeJbsAGVK/ILtS7RDdgA6pXZBfqXaIbsAHVK7IL9S7RDdiA6hXZhXqX6AZsQPWK7EK9S3QDNqB6RXah3iW6ARtQveIfHgmlAXipbclqAAAAAElFTkSuQmCC';
