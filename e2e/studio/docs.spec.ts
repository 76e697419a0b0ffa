import { operations } from '#lib/contract/operations';
import { ERROR_STATUS, toWireCode, type ErrorCode } from '#lib/errors';
import { expectAccessible } from '../page-checks.ts';
import { hold, loseAnswers } from './network.ts';
import { expect, requestsOf, test } from './someone.ts';

test('every guide, operation and model has a page, and every error code has a section', async ({ page, request }) => {
  await page.goto('/docs');
  await expectAccessible(page);
  const links = await page
    .getByRole('navigation', { name: 'Documentation', exact: true })
    .getByRole('link')
    .evaluateAll(all => all.map(link => link.getAttribute('href')));
  const { paths } = await (await request.get('/v1/openapi.json')).json();
  const models = Object.keys(paths).flatMap(path => /^\/v1\/(\w+)\/generate$/.exec(path)?.[1] ?? []);
  expect(models.length).toBeGreaterThan(10);
  expect(links).toEqual(
    expect.arrayContaining([
      ...Object.values(operations).map(({ method, path }) => `/docs/${paths[path][method.toLowerCase()].operationId}`),
      ...models.map(id => `/docs/models/${id}`),
    ]),
  );
  await Promise.all(
    links.map(async href => {
      expect((await request.get(String(href))).status(), String(href)).toBe(200);
      expect(await (await request.get(`${href}.md`)).text(), String(href)).toMatch(/^# /);
    }),
  );
  const listed = await (await request.get('/llms.txt')).text();
  for (const href of links) expect(listed).toContain(`${href}.md)`);
  expect(await (await request.get('/docs/models/mango/llms.txt')).text()).toContain('/v1/mango/generate');
  await page.goto('/docs/errors');
  await expectAccessible(page);
  const sections = await page.locator('h3:visible').evaluateAll(all => all.map(({ id }) => id));
  const codes = Object.entries(ERROR_STATUS).map(([code, status]) => `${toWireCode(code as ErrorCode)}-${status}`);
  expect(sections).toEqual(expect.arrayContaining(codes));
  expect((await request.get('/docs/nothing')).status()).toBe(404);
  expect((await request.get('/docs/nothing.md')).status()).toBe(404);
  expect((await request.get('/docs/models/nothing')).status()).toBe(404);
});

test('requests can be sent from the docs as the signed-in user or with an API key', async ({
  someone: { page, call },
}) => {
  await page.goto('/docs/get_account');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await expect(page.locator('output')).toContainText('"balance": 1000');

  await page.goto('/docs/generate');
  await expectAccessible(page);
  await expect(page.getByRole('textbox', { name: 'architecture' })).toHaveValue('mango');
  await page.getByRole('textbox', { name: 'architecture' }).fill('seed_audio');
  await page.getByRole('textbox', { name: 'Body' }).fill('{"prompt": "a bell", "resolution": 7}');
  await page.getByRole('textbox', { name: 'Max-Gems' }).fill('0');
  await page.getByRole('button', { name: 'Send POST' }).click();
  await expect(page.locator('output')).toContainText('"code": "price_above_limit"');
  await expect(page.getByText('it costs gems')).toBeVisible();
  await page.goto('/docs/start_run');
  await expect(page.getByRole('region', { name: 'Body' })).toContainText('Inputs of the recipe');
  await expect(page.getByText('it costs gems')).toBeVisible();
  await page.goto('/docs/estimate_run');
  await expect(page.getByRole('button', { name: 'Send POST' })).toBeVisible();
  await expect(page.getByText('it costs gems')).toBeHidden();

  const { key } = await (await call('POST', '/api/account/keys', { name: 'docs' })).json();
  await page.goto('/docs/list_characters');
  await page.getByText('With a key').click();
  await page.getByLabel('API key').fill(key);
  await page.getByRole('textbox', { name: 'limit' }).fill('5');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await expect(page.locator('output')).toContainText('"data": []');
  await page.getByLabel('API key').fill('pomona_sk_wrong');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await expect(page.locator('output')).toContainText('"code": "unauthorized"');
  // a header cannot carry this key
  await page.getByLabel('API key').fill('pomona_sk_…');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await expect(page.locator('output')).toHaveText(
    'No answer came. Check the connection, and that the key has no stray characters.',
  );

  await page.context().clearCookies();
  await page.reload();
  for (const place of ['main', 'banner'] as const) {
    await page.getByRole(place).getByRole('link', { name: 'sign in' }).click();
    await expect(page).toHaveURL(/sign-in\?next=%2Fdocs%2Flist_characters$/);
    await page.goBack();
  }
});

test('on a phone, the page of a model shows what each variant accepts, and no page is too wide', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/models/mango');
  await expect(page.getByText('mango-v2 takes 2K, 3K, 4K')).toBeVisible();
  await expectAccessible(page);
  await page.getByText('All pages').click();
  await page.getByRole('link', { name: 'Errors' }).first().click();
  await expect(page.getByRole('heading', { name: 'Errors', level: 1 })).toBeVisible();
  // pages with wide tables and with a long path
  for (const path of ['/docs/engines', '/docs/resend_delivery']) {
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390);
  }
});

test('the request form in the docs is inert until the page is interactive, and keeps its input', async ({
  someone: { page },
}) => {
  const goOn = await hold(page, '**/_next/static/chunks/*.js');
  await page.goto('/docs/models/mango', { waitUntil: 'commit' });
  const body = page.locator('form textarea');
  await expect(body).toBeVisible();
  await expect(page.locator('form[inert] textarea')).toBeAttached();
  goOn();
  await body.fill('{"prompt": "a plum"}');
  await expect(page.locator('form[inert]')).toHaveCount(0);
  await expect(body).toHaveValue('{"prompt": "a plum"}');
});

test('the search button fits its column', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/docs');
  const over = await page
    .getByRole('button', { name: /^Search/ })
    .evaluate(
      button => button.parentElement!.parentElement!.scrollWidth - button.parentElement!.parentElement!.clientWidth,
    );
  expect(over).toBe(0);
});

test('the search finds fields, errors, headers and guides by keyboard', async ({ page }) => {
  await page.goto('/docs');
  const field = page.getByRole('combobox', { name: 'Search the documentation' });
  // a key pressed before hydration is lost
  await expect(async () => {
    await page.keyboard.press('/');
    await expect(field).toBeVisible({ timeout: 1_000 });
  }).toPass();
  for (const [words, found] of [
    ['Idempotency', 'Money and idempotency'],
    ['handle taken', 'handle_taken 409'],
    ['webp', 'Uploads'],
    ['list_requests favourite', 'Requests of the account, newest first'],
    ['estimat', 'Price a generation without submitting it'],
    ['lighthuose', 'image'],
  ] as const) {
    await field.fill(words);
    await expect(page.getByRole('option').filter({ hasText: found }).first(), words).toBeVisible();
  }
  await expectAccessible(page);
  await field.fill('retry after lost connection');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/errors#what-is-safe-to-send-again$/);
  await expect(page.getByRole('heading', { name: 'What is safe to send again' })).toBeInViewport();
});

test('a request sent from the docs is charged once after a double click or a lost response', async ({
  someone: { page, call },
}) => {
  await page.clock.install();
  const open = async (prompt: string) => {
    await page.goto('/docs/generate');
    await page.getByRole('textbox', { name: 'architecture' }).fill('seed_audio');
    await page.getByRole('textbox', { name: 'Body' }).fill(JSON.stringify({ prompt }));
  };
  const send = page.getByRole('button', { name: 'Send POST' });
  const answer = page.locator('output');
  const press = async () => {
    const answered = page.waitForEvent('requestfinished', request => request.url().endsWith('/seed_audio/generate'));
    // later than a double click
    await page.clock.fastForward('00:01');
    await send.click();
    await answered;
  };
  const made = async () => (await requestsOf({ call })).map(({ prompt }) => prompt);
  await open('a bell');
  // slow enough that the first click is answered before the second
  await send.dblclick({ delay: 150 });
  await expect(answer).toContainText('"request_id"');
  expect(await made()).toEqual(['a bell']);

  await open('a gong');
  await loseAnswers(page, '**/v1/seed_audio/generate');
  await send.click();
  await expect(answer).toContainText('Sent again unchanged, it is charged only once.');
  await press();
  await expect(answer).toContainText('"request_id"');
  expect(await made()).toEqual(['a gong', 'a bell']);
  // after an answer, another press is a new request
  await press();
  expect(await made()).toHaveLength(3);
});
