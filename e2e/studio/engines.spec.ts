import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { startComfyui, type ComfyuiTestServer } from '#lib/engines/comfyui/comfyui-test-server';
import { PORTRAIT } from '#lib/engines/comfyui/workflow-test-data';
import type { Graph } from '#lib/engines/comfyui/workflow';
import { startDeployment, temporaryFolder, type Deployment } from '../faults/deployment.ts';
import { expect, test } from '../fixtures.ts';
import { expectAccessible, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { createButton, promptField } from './create-page.ts';
import { hold } from './network.ts';

/** A workflow with a long title without spaces, and with two outputs. */
const WORKFLOW: Graph = {
  ...PORTRAIT,
  '1': { ...PORTRAIT['1']!, _meta: { title: 'Checkpoint'.repeat(40) } },
  '9': { class_type: 'SaveImage', inputs: { images: ['6', 0], filename_prefix: 'twin' } },
};

let box: ComfyuiTestServer;
let deployment: Deployment;
let close: () => Promise<void>;

// engines belong to the whole deployment, so these tests use their own
test.beforeAll(async () => {
  box = await startComfyui({ version: '0.38.1', files: ['portrait.safetensors'] });
  const folder = temporaryFolder();
  const started = await startDeployment({ DATA_DIR: folder, DATABASE_URL: '' });
  deployment = started.deployment;
  close = async () => {
    await started.close();
    await box.close();
    rmSync(folder, { recursive: true, force: true });
  };
});

test.afterAll(() => close());

const file = (name: string, json: object) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(json)),
});

test('an operator can connect a ComfyUI and offer a workflow as a form and API with a price', async ({
  page,
  context,
}) => {
  test.setTimeout(180_000);
  const faults = watchFaults(page);
  const { baseURL } = deployment;
  const operator = await signUp(context, deployment, true);

  await page.goto(`${baseURL}/admin/overview`);
  await expect(page.getByRole('heading', { name: 'Only previews so far: no engine is connected' })).toBeVisible();
  await page.getByLabel('Address').fill(box.url.replace('http://', ''));
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const found = page.getByRole('region', { name: 'What is there' });
  await expect(found).toContainText('ComfyUI 0.38.1');
  await expect(found).toContainText('z_image_turbo_bf16.safetensors');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  const engine = page
    .getByRole('list', { name: 'Engines' })
    .getByRole('listitem')
    .filter({ hasText: 'comfyui' })
    .first();
  await expect(engine).toContainText('Healthy', { timeout: 30_000 });

  await page.locator('input[type=file]').setInputFiles(file('studio_portrait_api.json', WORKFLOW));
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Studio portrait');
  for (const title of ['Prompt', 'Negative prompt', 'Seed', 'Steps', 'Guidance', 'Size', 'Grain'])
    await expect(page.getByLabel(`Expose ${title}`, { exact: true })).toBeChecked();
  await expect(page.getByLabel('The result').locator('option')).toHaveText([
    'image, from SaveImage 1',
    'image, from SaveImage 2',
  ]);
  await page.getByLabel('Expose Guidance').uncheck();
  // while a list is being typed, empty and duplicate lines are kept
  await page.getByText(/more values in the workflow/).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.getByLabel('Expose Sampler name').check();
  await page.getByRole('button', { name: 'Change Sampler name' }).click();
  await page.getByLabel('Choices').press('Control+End');
  await page.getByLabel('Choices').pressSequentially('\nmine');
  await expect(page.getByLabel('Choices')).toHaveValue(/\nmine$/);
  await page.getByLabel('Expose Sampler name').uncheck();
  // a number can be retyped from an empty field, sign first; an emptied limit means none
  await page.getByLabel('Expose Denoise').check();
  await page.getByRole('button', { name: 'Change Denoise' }).click();
  const given = page.getByLabel('Default');
  for (const words of ['-1', '0.5']) {
    await given.fill('');
    await expect(given).toBeFocused();
    await given.pressSequentially(words);
    await expect(given).toHaveValue(words);
  }
  const denoise = page.getByRole('listitem').filter({ has: page.getByLabel('Expose Denoise') });
  await expect(denoise).toContainText('a number from 0 up to 1, 0.5 unless given');
  await page.getByLabel('Maximum').fill('');
  await expect(denoise).toContainText('a number from 0, 0.5 unless given');
  await page.getByLabel('Expose Denoise').uncheck();
  await page.getByRole('button', { name: 'Offer several sizes' }).click();
  await page.getByLabel('Token').first().fill('2K');
  await expect(page.getByLabel('Token')).toHaveCount(2);
  while (await page.getByLabel('Token').count()) await page.getByRole('button', { name: 'Remove 2K' }).first().click();
  await page.getByLabel('Gems', { exact: true }).fill('12');
  const trial = page.getByRole('button', { name: 'Run a test' });
  await trial.press('Enter');
  await expect(
    page.getByRole('button', { name: 'Stop' }).or(page.getByRole('button', { name: 'Test again' })),
  ).toBeFocused();
  await expect(page.getByRole('img', { name: 'The result of the test' })).toBeVisible({ timeout: 30_000 });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save and offer' }).click();
  await expect(page.getByRole('heading', { name: 'Studio portrait' })).toBeVisible();
  await expect(page.getByText(`${baseURL}/v1/studio_portrait/generate`)).toBeVisible();

  await page.goto(`${baseURL}/create/studio_portrait`);
  const create = createButton(page);
  await expect(create).toContainText('12');
  const prompt = promptField(page);
  await prompt.fill('a gardener, north light');
  await create.click();
  const made = page.getByRole('region', { name: 'Results' }).getByRole('img', { name: 'a gardener, north light' });
  await expect(made).toBeVisible({ timeout: 60_000 });
  expect(JSON.stringify(box.taken.at(-1))).toContain('a gardener, north light');

  await page.getByRole('button', { name: 'Code', exact: true }).click();
  const command = await page.getByRole('dialog').locator('pre').first().innerText();
  const opened = await operator.call('POST', '/api/account/keys', { name: 'laptop' });
  const { key: secret } = (await opened.json()) as { key: string };
  const env = { ...process.env, POMONA_KEY: secret };
  const { status_url } = JSON.parse(
    execFileSync('sh', ['-c', command], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as {
    status_url: string;
  };
  const answer = await context.request.get(`${status_url}?wait=30`, { headers: { authorization: `Bearer ${secret}` } });
  const request = (await answer.json()) as Record<string, unknown>;
  expect(request).toMatchObject({
    status: 'completed',
    billing: { gems_charged: 12 },
    result: { content_type: 'image/png' },
  });
  expect(request).not.toHaveProperty('preview');
  const account = (await (await operator.call('GET', '/v1/account')).json()) as { gems: { balance: number } };
  expect(account.gems.balance).toBe(1_000 - 24);

  const next = structuredClone(WORKFLOW);
  next['5']!.inputs.steps = 30;
  await page.goto(`${baseURL}/admin/engines/workflows/studio_portrait`);
  await page.locator('input[type=file]').setInputFiles(file('studio_portrait_v2.json', next));
  const changes = page.getByRole('list', { name: 'Changes' });
  await expect(changes.getByRole('listitem').first()).toContainText('the graph has 30 there instead of 24');
  await page.getByRole('button', { name: 'Save the new version' }).click();
  await expect(page.getByRole('heading', { name: 'Studio portrait' })).toBeVisible();
  await expect(page.getByLabel('workflows/studio_portrait.json')).toHaveValue(/"steps": 30/);
  const architecture = page.getByLabel('architectures/studio_portrait.json');
  await expect(architecture).toHaveValue(/"gems": 12/);
  const save = page.getByRole('button', { name: 'Save the files' });
  await expect(save).toBeDisabled();
  await architecture.fill((await architecture.inputValue()).replace('"gems": 12', '"gems": 13'));
  const whole = await architecture.inputValue();
  await architecture.fill(`${whole},`);
  await expect(page.getByText('It cannot be saved yet.')).toBeVisible();
  await expect(save).toBeDisabled();
  await architecture.fill(whole);
  await expect(save).toBeEnabled();
  await save.press('Enter');
  await expect(page.getByText('Studio portrait is now offered.', { exact: true })).toBeVisible();
  // nothing is left to save
  await expect(save).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Result' })).toBeFocused();
  await expect(architecture).toHaveValue(/"gems": 13/);
  expect(faults).toEqual([]);
});

test('an address is examined without a secret unless one was given, and must be filled in', async ({
  page,
  context,
}) => {
  const { baseURL } = deployment;
  await signUp(context, deployment, true);
  await page.goto(`${baseURL}/admin/engines/connect`);
  const check = page.getByRole('button', { name: 'Check the address' });
  await check.click();
  await expect(page.getByLabel('Address')).toHaveAccessibleDescription('Fill this in.');
  await expect(page.getByLabel('Address')).toBeFocused();
  await page.getByLabel('Address').fill('fal.ai');
  const wanted = { type: 'fal', url: 'https://queue.fal.run', program: null, version: null, detail: '', ok: false };
  await page.route(
    '**/api/admin/engines/examine',
    route => route.fulfill({ json: { ...wanted, id: 'fal', wants_secret: true, models: [], serves: [], options: {} } }),
    { times: 1 },
  );
  await check.click();
  await expect(page.getByText('needs the key of your account there.')).toBeVisible();
  await expect(page.getByLabel('The secret')).toBeVisible();
  await page.getByLabel('Address').fill(box.url);
  await check.click();
  await expect(page.getByRole('region', { name: 'What is there' })).toContainText('ComfyUI 0.38.1');

  // a refusal keeps the field of the secret
  const error = { code: 'invalid_request', message: 'This address is not reachable.' };
  await page.route('**/api/admin/engines/examine', route => route.fulfill({ status: 400, json: { error } }));
  await check.click();
  await expect(page.getByText(error.message)).toBeVisible();
  await expect(page.getByLabel('The secret').first()).toBeVisible();

  // on a phone, the outcome would be below the screen
  await page.setViewportSize({ width: 390, height: 844 });
  await page.unroute('**/api/admin/engines/examine');
  await page.goto(`${baseURL}/admin/engines/connect`);
  await page.getByRole('button', { name: 'Add a secret' }).click();
  const outcomes = [
    ['http://127.0.0.1:9', page.getByText('Nothing that Pomona can use was found')],
    [box.url, page.getByRole('region', { name: 'What is there' }).getByRole('heading')],
  ] as const;
  for (const [address, outcome] of outcomes) {
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByLabel('Address').first().fill(address);
    await check.click();
    await expect(outcome).toBeInViewport();
    const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
    const { y, height } = (await outcome.boundingBox())!;
    expect(y + height).toBeLessThan(bar!.y);
  }
});

test('the page of an engine shows the state of its server, checks it again, and does not save invalid JSON', async ({
  page,
  context,
}) => {
  const { baseURL } = deployment;
  const operator = await signUp(context, deployment, true);
  const gone = await startComfyui({ version: '0.38.1' });
  await gone.close();
  const servers = [{ id: 'server1', url: gone.url, secret: null, places: null }];
  const entry = { id: 'far', type: 'comfyui', paused: true, servers, options: {} };
  expect((await operator.call('POST', '/api/admin/engines', entry)).status()).toBe(201);
  await page.goto(`${baseURL}/admin/engines/edit/far`);
  await expect(page.getByText(`Nothing that Pomona can use was found at ${gone.url}.`)).toBeVisible();
  await expect(page.getByText('What it can make is known once its server has answered.')).toBeVisible();
  await expectAccessible(page);
  const back = await startComfyui({ version: '0.38.1', port: Number(new URL(gone.url).port) });
  const again = page.getByRole('button', { name: 'Check again' });
  await again.press('Enter');
  await expect(page.getByRole('region', { name: 'What is there' })).toContainText('ComfyUI 0.38.1');
  await expect(again).toBeFocused();
  await expect(page.getByRole('button', { name: 'Run a test' })).toBeEnabled();
  await back.close();

  await page.getByText('All options as JSON').click();
  const options = page.getByLabel('Options', { exact: true });
  await options.fill('{"serves": [{"architecture": "mango"}],}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/^It was not saved\. Options: It cannot be read as JSON/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run a test' })).toBeDisabled();
  await options.fill('{}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('far is saved.', { exact: true })).toBeVisible();

  // while the engines load, the page does not say that there is no ComfyUI
  const goOn = await hold(page, '**/api/admin/engines');
  await page.goto(`${baseURL}/admin/engines/workflows/z_image`);
  await expect(page.getByLabel('workflows/z_image.json')).toBeVisible();
  await expect(page.getByText('Connect a ComfyUI')).toBeHidden();
  goOn();
  await expect(page.getByRole('button', { name: 'Save the files' })).toBeVisible();
  await page.route('**/api/admin/engines', route => route.fulfill({ json: { data: [] } }));
  await page.reload();
  await expect(page.getByRole('link', { name: 'Connect a ComfyUI' })).toBeVisible();
  await page.unroute('**/api/admin/engines');

  // an engine that was removed elsewhere counts as removed
  await page.goto(`${baseURL}/admin/engines`);
  await page.getByRole('button', { name: 'More for far' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  expect((await operator.call('DELETE', '/api/admin/engines/far')).status()).toBe(204);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('heading', { name: /^far/ })).toBeHidden();
});

test('an engine that responds but fails its jobs is shown as failing, with the error', async ({ page, context }) => {
  const { baseURL } = deployment;
  const operator = await signUp(context, deployment, true);
  const servers = [{ id: 'server1', url: box.url, secret: null, places: null }];
  const entry = { id: 'unpaid', type: 'comfyui', paused: false, servers, options: {} };
  expect((await operator.call('POST', '/api/admin/engines', entry)).status()).toBe(201);
  // as a worker writes it; the row of the server exists once a worker has probed it
  const trouble = `update servers set trouble = 'POST /prompt answered 402', trouble_at = now() where id = 'unpaid/server1'`;
  await expect.poll(async () => (await deployment.pool.query(trouble)).rowCount).toBe(1);
  await page.goto(`${baseURL}/admin/engines`);
  const engine = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^unpaid/ }) });
  await expect(engine).toContainText('Jobs fail', { timeout: 30_000 });
  await expect(engine).toContainText(/Its last job failed .+: POST \/prompt answered 402/);
  await expectAccessible(page);
  expect((await operator.call('DELETE', '/api/admin/engines/unpaid')).status()).toBe(204);
});

test('unfinished JSON of a model is discarded with it, and kept when another model is removed', async ({
  page,
  context,
}) => {
  const { baseURL } = deployment;
  const operator = await signUp(context, deployment, true);
  const serves = ['mango', 'z_image'].map((architecture, value) => {
    return { architecture, model: architecture, call: 'images', parameters: { steps: { value } } };
  });
  const servers = [{ id: 'server1', url: 'http://127.0.0.1:9', secret: null, places: null }];
  const entry = { id: 'pair', type: 'openai', paused: true, servers, options: { serves } };
  const added = await operator.call('POST', '/api/admin/engines', entry);
  expect(added.status(), await added.text()).toBe(201);
  await page.goto(`${baseURL}/admin/engines/edit/pair`);
  const folded = page.getByText('Parameters (1)');
  await expect(folded).toHaveCount(2);
  for (const one of await folded.all()) await one.click();
  const written = page.getByLabel('Parameters as JSON');
  await written.first().fill('{"steps": ');
  await expect(page.getByText(/It cannot be read as JSON/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove mango' }).click();
  await expect(written).toHaveValue(/"value": 1/);
  // unfinished text stays with its model while another one is removed
  await page.getByRole('button', { name: 'Add a model' }).click();
  await written.first().fill('{"steps": {"value": 2');
  await page.getByRole('button', { name: 'Remove this model' }).click();
  await expect(written).toHaveValue('{"steps": {"value": 2');
  await written.fill('{"steps": {"value": 2}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('pair is saved.', { exact: true })).toBeVisible();
  const saved = await (await operator.call('GET', '/api/admin/engines/pair')).text();
  expect(saved).toContain('"parameters":{"steps":{"value":2}}');
  expect(saved).not.toContain('mango');
});
