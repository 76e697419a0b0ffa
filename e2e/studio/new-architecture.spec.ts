import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { startDeployment, temporaryFolder, type Deployment } from '../faults/deployment.ts';
import { expect, test } from '../fixtures.ts';
import { signUp } from '../session.ts';
import { createButton, promptField } from './create-page.ts';
import { holdAnswer } from './network.ts';
import { make, requestsOf } from './someone.ts';

/** An architecture that the code does not know, with its own field names and tokens. */
const PAPAYA = {
  id: 'papaya',
  name: 'Papaya',
  type: 'image',
  description: 'A model of tomorrow.',
  state: 'live',
  order: 999,
  model_ids: ['papaya-1', 'papaya-xl'],
  default_model_id: 'papaya-1',
  fields: {
    aspect_ratio: { enum: ['1:1', '2:1'], default: '1:1' },
    resolution: { enum: ['1K', '2K'], default: '1K' },
    ripeness: {
      type: 'number',
      title: 'Ripeness',
      description: 'How ripe it is.',
      minimum: 0,
      maximum: 10,
      default: 4,
    },
  },
  options_by_model: { 'papaya-1': { resolution: ['1K'] } },
  max_images: 0,
  output: { fit: 'area', side: { '1K': 1024, '2K': 2048 }, multiple: 16 },
  price: { gems: 7, factors: { model_id: { 'papaya-1': 1, 'papaya-xl': 3 }, resolution: { '1K': 1, '2K': 2 } } },
};

/** Another unknown architecture, which edits a masked region of an image. */
const POMELO = {
  id: 'pomelo',
  name: 'Pomelo',
  type: 'image',
  description: 'A model that takes masks.',
  state: 'live',
  model_ids: ['pomelo'],
  default_model_id: 'pomelo',
  fields: { image: {}, mask: {}, aspect_ratio: { enum: ['1:1'], default: '1:1' } },
  max_images: 1,
  needs: { reference: 1, mask: 1 },
  output: { fit: 'area', side: 512, multiple: 16 },
  price: { gems: 5 },
};

/** A recipe that the code does not know, which uses the new architecture. */
const TWINS = {
  id: 'twins',
  name: 'Twins',
  description: 'One thing, twice.',
  inputs: {
    thing: { description: 'What is doubled.', minLength: 1, maxLength: 100 },
    sizes: { enum: ['alike', 'unlike'], default: 'alike', description: 'How they differ.' },
  },
  required: ['thing'],
  words: { sizes: { alike: ['same', 'same'], unlike: ['small', 'tall', 'vast'] } },
  steps: [
    { id: 'pair', name: 'Pair', architecture: 'papaya', each: '{{sizes}}', body: { prompt: 'a {{each}} {{thing}}' } },
  ],
  results: ['pair'],
};

let deployment: Deployment;
let close: () => Promise<void>;

// the new entries are only files in the catalog of a separate deployment
test.beforeAll(async () => {
  const folder = temporaryFolder();
  cpSync('catalog', join(folder, 'catalog'), { recursive: true });
  writeFileSync(join(folder, 'catalog/architectures/papaya.json'), JSON.stringify(PAPAYA));
  writeFileSync(join(folder, 'catalog/architectures/pomelo.json'), JSON.stringify(POMELO));
  writeFileSync(join(folder, 'catalog/recipes/twins.json'), JSON.stringify(TWINS));
  const env = { DATA_DIR: join(folder, 'data'), DATABASE_URL: '', CATALOG_DIR: join(folder, 'catalog') };
  ({ deployment, close } = await startDeployment(env));
});

test.afterAll(() => close());

test('a new architecture file provides its form, price, validation, code, docs and generation', async ({
  page,
  context,
}) => {
  const { baseURL } = deployment;
  await signUp(context, deployment);

  await page.goto(`${baseURL}/create/papaya`);
  await expect(page.getByRole('heading', { name: 'Papaya' })).toBeVisible();
  const create = createButton(page);
  await expect(create).toContainText('7');
  await page.getByText('papaya-xl').click();
  await expect(create).toContainText('21');
  await page.getByRole('radio', { name: '2K' }).check();
  await expect(create).toContainText('42');

  const prompt = promptField(page);
  await prompt.fill('a papaya cut in half');
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('/v1/papaya/generate');
  await expect(page.getByRole('dialog')).toContainText('papaya-xl');
  await page.keyboard.press('Escape');
  await create.click();
  const picture = page.getByRole('region', { name: 'Results' }).getByRole('img', { name: 'a papaya cut in half' });
  await expect(picture).toBeVisible({ timeout: 60_000 });

  // the architecture takes no media, and so no mentions
  const refused = await context.request.post(`${baseURL}/v1/papaya/estimate`, {
    headers: { origin: baseURL },
    data: { prompt: 'with @ana', ripeness: 11 },
  });
  const { issues } = (await refused.json()) as { issues: { path: string }[] };
  expect(issues.map(({ path }) => path).toSorted()).toEqual(['/prompt', '/ripeness']);

  await page.goto(`${baseURL}/docs/models/papaya`);
  await expect(page.getByRole('main')).toContainText('ripeness');
  const openapi = await (await context.request.get(`${baseURL}/v1/openapi.json`)).json();
  expect(
    openapi.paths['/v1/papaya/generate'].post.requestBody.content['application/json'].schema.properties,
  ).toHaveProperty('ripeness');
});

/** Opens the edit dialog of an image, marks a region and chooses the model that takes masks. */
async function askForRegion(page: Page): Promise<{ dialog: Locator; edit: Locator }> {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit' });
  await dialog.getByRole('button', { name: 'Rectangle' }).click();
  const { x, y, width, height } = (await dialog.getByRole('img').last().boundingBox())!;
  await page.mouse.move(x + width * 0.25, y + height * 0.25);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.75, y + height * 0.75);
  await page.mouse.up();
  await dialog.getByLabel('What should be there instead').fill('a wasp');
  await dialog.getByRole('combobox', { name: 'With' }).selectOption('Pomelo');
  return { dialog, edit: dialog.getByRole('button', { name: /^Edit 5 gem/ }) };
}

test('a model that takes masks receives the marked region as a mask', async ({ page, context }) => {
  const { baseURL } = deployment;
  const { call } = await signUp(context, deployment);
  const { request_id } = await make({ call }, 'papaya', { prompt: 'a papaya' });
  await page.goto(`${baseURL}/history/${request_id}`);
  const { edit } = await askForRegion(page);
  await edit.click();
  await expect(page).toHaveURL(/\/create\/pomelo$/);
  const [newest] = await requestsOf({ call }, '?architecture=pomelo');
  const made = await call('GET', `/v1/requests/${newest!.request_id}`);
  const { config } = (await made.json()) as { config: Record<string, string> };
  expect(config).toMatchObject({ prompt: 'a wasp' });
  const mask = sharp(await (await context.request.get(config.mask!)).body()).removeAlpha();
  const { data: pixels, info } = await mask.raw().toBuffer({ resolveWithObject: true });
  const at = (part: number) =>
    pixels[3 * (Math.round(part * info.height) * info.width + Math.round(part * info.width))];
  expect([info.width, info.height, at(0.5), at(0.1)]).toEqual([1024, 1024, 255, 0]);
});

test('an edit sent twice makes one request, and does not navigate once its dialog is closed', async ({
  page,
  context,
}) => {
  const { baseURL } = deployment;
  const { call } = await signUp(context, deployment);
  const { request_id } = await make({ call }, 'papaya', { prompt: 'a papaya' });
  const generate = '**/v1/pomelo/generate';
  const made = () => requestsOf({ call }, '?architecture=pomelo');
  await page.goto(`${baseURL}/history/${request_id}`);
  const { dialog, edit } = await askForRegion(page);
  const tell = await holdAnswer(page, generate);
  const asked = page.waitForRequest(generate);
  await edit.click();
  await asked;
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(dialog.getByRole('img', { name: 'with a region marked' })).toBeVisible();
  const uploaded = page.waitForResponse(response => response.request().method() === 'PUT');
  await edit.click();
  await uploaded;
  tell();
  await expect(page).toHaveURL(/\/create\/pomelo$/);
  await expect(page.getByRole('article', { name: 'a wasp' })).toHaveCount(1);
  expect(await made()).toHaveLength(1);

  // after a refusal, the next press is a new attempt; closing the dialog meanwhile does not leave the page
  await page.goto(`${baseURL}/history/${request_id}`);
  const keys: (string | undefined)[] = [];
  page.on(
    'request',
    request => /pomelo.generate/.test(request.url()) && keys.push(request.headers()['idempotency-key']),
  );
  const again = await askForRegion(page);
  const error = { code: 'insufficient_gems', message: 'The balance is 0.' };
  await page.route(generate, route => route.fulfill({ status: 402, json: { error } }), { times: 1 });
  await again.edit.click();
  await expect(dialog.getByRole('alert')).toHaveText(error.message);
  const tellLater = await holdAnswer(page, generate);
  const askedAgain = page.waitForRequest(generate);
  await again.edit.click();
  await askedAgain;
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  tellLater();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('pomona.edits'))).toBe('[]');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(dialog.getByRole('img', { name: 'nothing is marked yet' })).toBeVisible();
  await expect(page).toHaveURL(/\/history\//);
  expect(new Set(keys).size).toBe(2);
  expect(await made()).toHaveLength(2);
});

test('a new recipe file provides its card, form, price, run, docs and API', async ({ page, context }) => {
  const { baseURL } = deployment;
  await signUp(context, deployment);
  await page.goto(`${baseURL}/recipes`);
  await page.getByRole('link', { name: 'Twins' }).click();
  await page.getByLabel('Thing').fill('papaya');
  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  await expect(run).toContainText('14');
  await page.getByText('unlike').click();
  await expect(run).toContainText('21');
  await run.click();
  await expect(page.getByRole('region', { name: 'Run of Twins' }).getByText('done, 3 of 3')).toBeVisible({
    timeout: 60_000,
  });
  await expect(page.getByRole('img', { name: 'Twins: papaya, vast' })).toBeVisible();

  await page.goto(`${baseURL}/docs/run_twins`);
  await expect(page.getByRole('main')).toContainText('What is doubled');
  const openapi = await (await context.request.get(`${baseURL}/v1/openapi.json`)).json();
  const { schema } = openapi.paths['/v1/recipes/twins'].post.requestBody.content['application/json'];
  expect(schema.required).toEqual(['thing']);
});
