import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { operations } from '#lib/contract/operations';
import { ERROR_STATUS } from '#lib/errors';
import { expect, expectAccessible, test } from './someone.ts';

const execute = promisify(execFile);
const RUN = {
  curl: { file: 'try.sh', command: 'bash' },
  TypeScript: { file: 'try.mts', command: process.execPath },
  Python: { file: 'try.py', command: 'python3' },
} as const;

const codeOf = async (page: Page, title: string) =>
  page.locator('figure').filter({ hasText: title }).locator('pre').innerText();

// each looks at several states of a page in both themes
test.describe.configure({ timeout: 120_000 });

for (const [language, { file, command }] of Object.entries(RUN)) {
  test(`the quickstart works as written: ${language}`, async ({ page, customer }) => {
    const folder = await mkdtemp(join(tmpdir(), 'pomona-docs-'));
    await page.goto('/docs');
    for (const tab of await page.getByRole('tab', { name: language }).all()) await tab.click();
    const attempt = async (title: string) => {
      await writeFile(join(folder, file), await codeOf(page, `${title}, ${language}`));
      const env = { ...process.env, POMONA_KEY: customer.key };
      return (await execute(command, [file], { cwd: folder, env })).stdout;
    };
    await attempt('Make and download');
    const picture = await readFile(join(folder, 'lighthouse.png'));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(await attempt('Upload, and save a character')).toContain('keeper-');
    const { data } = await (await customer.api.get('/v1/characters')).json();
    expect(data).toMatchObject([{ name: 'Keeper' }]);
    await rm(folder, { recursive: true });
  });
}

test('every operation, model and error code has its place', async ({ page, request }) => {
  await page.goto('/docs');
  await expectAccessible(page);
  const links = await page
    .getByRole('navigation', { name: 'Reference', exact: true })
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
  for (const href of links) expect((await request.get(String(href))).status(), String(href)).toBe(200);
  await page.goto('/docs/errors');
  await expectAccessible(page);
  for (const status of new Set(Object.values(ERROR_STATUS)))
    await expect(page.locator(`li[id$="-${status}"]`).first()).toContainText(/\.$/);
  expect((await request.get('/docs/nothing')).status()).toBe(404);
  expect((await request.get('/docs/models/nothing')).status()).toBe(404);
});

test('try it: as whoever is signed in, then with a key', async ({ someone: { page, call } }) => {
  await page.goto('/docs/get_account');
  await page.getByRole('button', { name: 'Send GET' }).click();
  await expect(page.locator('output')).toContainText('"balance": 1000');

  await page.goto('/docs/generate');
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'architecture' }).fill('seed_audio');
  await page.getByRole('textbox', { name: 'Body' }).fill('{"prompt": "a bell", "resolution": 7}');
  await page.getByRole('textbox', { name: 'Max-Gems' }).fill('0');
  await page.getByRole('button', { name: 'Send POST' }).click();
  await expect(page.locator('output')).toContainText('"code": "price_above_limit"');

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
});

test('the fields of a model, with what each variant takes; on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/docs/models/mango');
  await expect(page.getByText('mango-v2 takes 2K, 3K, 4K')).toBeVisible();
  await expectAccessible(page);
  await page.getByText('All pages of the reference').click();
  await page.getByRole('link', { name: 'Errors' }).first().click();
  await expect(page.getByRole('heading', { name: 'Errors', level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
