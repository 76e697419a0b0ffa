import type { RunWire } from '#lib/contract/recipe-schemas';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { openCreate, promptField } from './create-page.ts';
import { chooseFiles, pictureAddress, pictureFile } from './device-files.ts';
import { hold, holdAnswer, loseAnswers } from './network.ts';
import { expect, freshName, requestsOf, test, untilItListens } from './someone.ts';

const COVERS = { topic: 'why lighthouses went dark', covers: 2 };

// recipes: found from Create, priced, run, opened, and resumed where a run stopped

test('a recipe is found from Create, priced, run to completion, and resumed after a cancellation', async ({
  someone,
}) => {
  const { page, call } = someone;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/create');
  await page.getByRole('button', { name: 'Recipes', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Recipes' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Storyboard' }).click();

  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  await page.getByLabel('Shots').fill('A harbour at dawn\nA letter is opened\n');
  await expect(run).toContainText('171');
  await page.setViewportSize({ width: 390, height: 780 });
  await run.click();
  const fault = page.getByText('Fill this in');
  await expect(fault).toBeVisible();
  // the fixed button does not cover what is missing
  const [message, button] = [(await fault.boundingBox())!, (await run.boundingBox())!];
  expect(message.y + message.height).toBeLessThanOrEqual(button.y);
  await page.getByLabel('Cast').fill('Mara, 60, captain of the ferry');
  await expect(run).toBeEnabled();
  await page.getByLabel('Cast').press('Control+Enter');
  const story = page.getByRole('region', { name: 'Run of Storyboard' });
  await expect(story.getByText('done, 2 of 2')).toBeVisible({ timeout: 60_000 });
  await expect(story.getByText('171').first()).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await story.getByRole('link', { name: 'Open: Storyboard, Shots: A harbour at dawn' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  // a run cancelled in its first step resumes there
  const started = await call('POST', '/v1/recipes/storyboard', { shots: ['One'], cast: 'Mara' });
  const { cancel_url } = (await started.json()) as { cancel_url: string };
  await call('POST', cancel_url);
  await page.reload();
  const stopped = page.getByRole('region', { name: 'Run of Storyboard' }).first();
  await stopped.getByRole('button', { name: 'Run what is missing' }).click();
  await expect(stopped.getByText('done')).toHaveCount(2, { timeout: 60_000 });
});

test('the inputs of a recipe survive navigation and a reload, and are kept for that recipe alone', async ({
  someone: { page, context },
}) => {
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('A windmill');
  await page.goto('/recipes/relight');
  const mood = page.getByLabel('Mood');
  await chooseFiles(page.getByLabel('Image: choose a file'), await pictureFile());
  await page.getByLabel('Light', { exact: true }).selectOption('neon');
  await mood.fill('rain on the pier');
  const expectKept = async () => {
    await expect(mood).toHaveValue('rain on the pier');
    await expect(page.getByLabel('Light', { exact: true })).toHaveValue('neon');
    await expect(page.getByRole('button', { name: 'Remove image' })).toBeVisible();
  };
  await expect(page.getByRole('button', { name: 'Remove image' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Recipes' }).click();
  await page.getByRole('link', { name: 'Storyboard' }).click();
  await expect(page.getByLabel('Cast')).toHaveValue('');
  await page.goBack();
  await page.getByRole('link', { name: 'Relight' }).click();
  await expectKept();
  await page.reload();
  await expectKept();

  // values in the URL are applied once
  await page.goto('/recipes/relight?mood=noon');
  await expect(mood).toHaveValue('noon');
  await expect(page).toHaveURL(/relight$/);
  await expect(page.getByLabel('Light', { exact: true })).toHaveValue('neon');
  await mood.fill('dusk');
  await page.reload();
  await expect(mood).toHaveValue('dusk');

  // Create remembers its last model and keeps its own prompt
  const { value } = (await context.cookies()).find(({ name }) => name === 'last_architecture')!;
  expect(value).toBe('z_image');
  await openCreate(page, '/create/chroma');
  await expect(promptField(page)).toHaveValue('A windmill');
});

test('a recipe has a price once its required list has items, and shows as they arrive the faults that block it', async ({
  someone: { page },
}) => {
  await page.goto('/recipes/storyboard');
  const shots = page.getByLabel('Shots');
  const run = page.getByRole('button', { name: /^Run/ });
  await expect(run).toHaveText('Run');
  await shots.fill('A harbour\n'.repeat(3));
  await expect(run).toHaveText(/228/);
  await expect(run).toBeEnabled();
  await shots.fill('A harbour\n'.repeat(13));
  await expect(run).toHaveText('Run');
  await expect(run).toBeDisabled();
  await expect(page.getByText('Correct what is marked above.')).toBeVisible();
  await expect(shots).toHaveAccessibleDescription(/12/);
  await expect(shots).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Cast')).not.toHaveAttribute('aria-invalid', 'true');
  await shots.fill('A harbour\n'.repeat(12));
  await expect(run).toHaveText(/741/);
  await expect(run).toBeEnabled();
});

test('a recipe that costs more than the balance offers a cheaper input and says how to get gems', async ({
  someone: { page },
}) => {
  await page.goto('/recipes/storyboard');
  await page.getByLabel('Shots').fill('A harbour\n'.repeat(8));
  await page.getByRole('radio', { name: 'best' }).check();
  await page.getByRole('radio', { name: '2K' }).check();
  await expect(page.getByText('This costs 1,215 gems, and you have 1,000.')).toBeVisible();
  await expect(page.getByText('Ask the operator for more gems.')).toBeVisible();
  // of the affordable inputs, the page offers the most expensive
  await page.getByRole('button', { name: 'Resolution 1K for 855 gems' }).click();
  await expect(page.getByRole('radio', { name: '1K' })).toBeChecked();
  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  await expect(run).toContainText('855');
  await expect(run).toBeEnabled();
  await expect(page.getByText('Ask the operator for more gems.')).toBeHidden();
});

test('the form of a recipe causes no layout shift on a slow connection', async ({ someone: { page, context } }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(() => {
    const moves: unknown[] = [];
    Object.assign(window, { moves });
    new PerformanceObserver(list => moves.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
  });
  const network = await context.newCDPSession(page);
  const pace = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
  await network.send('Network.emulateNetworkConditions', pace);
  await page.goto('/recipes/thumbnail');
  await expect(page.getByRole('button', { name: /^Run [\d,]+ gem/ })).toBeEnabled();
  const moves = await page.evaluate<{ value: number }[]>('moves');
  expect(moves.reduce((sum, { value }) => sum + value, 0)).toBeLessThan(0.01);
});

for (const [width, height] of [
  [390, 844],
  [768, 1024],
  [1440, 900],
] as const)
  test(`in a window ${width} pixels wide the run button of a recipe is in reach from every field and does not cover the last one`, async ({
    someone: { page },
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/recipes/storyboard');
    const run = page.getByRole('button', { name: 'Run', exact: true });
    // whether a click on the upper and the lower edge would hit the button
    const isInReach = () =>
      run.evaluate(button => {
        const { left, top, bottom } = button.getBoundingClientRect();
        const meets = (y: number) => button.contains(document.elementFromPoint(left + 24, y));
        return meets(top + 2) && meets(bottom - 2);
      });
    await expect.poll(isInReach).toBe(true);
    const last = page.getByRole('radio', { name: '2K' });
    await untilItListens(last);
    for (const field of await page.locator('form :is(input, textarea, select):visible').all()) {
      await field.focus();
      expect(await isInReach()).toBe(true);
    }
    // a focused field is not hidden behind the button
    await last.focus();
    await expect.poll(async () => (await run.boundingBox())!.y - (await last.boundingBox())!.y).toBeGreaterThan(24);
    expect(await isInReach()).toBe(true);
  });

for (const path of ['/create/z_image', '/recipes/relight'])
  test(`the form of ${path} is inert until the page has hydrated`, async ({ someone: { page } }) => {
    const goOn = await hold(page, '**/_next/static/chunks/*.js');
    await page.goto(path, { waitUntil: 'commit' });
    const words = page.locator('form textarea').first();
    await expect(words).toBeVisible();
    await expect(page.locator('[inert] form textarea').first()).toBeAttached();
    goOn();
    await words.fill('a plum');
    await expect(page.getByRole('button', { name: /gem/ }).last()).toBeEnabled();
    await expect(words).toHaveValue('a plum');
  });

test('a recipe form takes an uploaded image and mentions of characters in its text', async ({
  someone: { page, call },
}) => {
  const handle = freshName().toLowerCase();
  const image = await pictureAddress();
  expect((await call('POST', '/v1/characters', { name: 'Ana Plum', handle, image })).status()).toBe(201);
  await page.goto('/recipes/relight');
  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  // a failed upload blocks the run until it is retried
  await page.route('**/media/upload/**', route => route.abort(), { times: 1 });
  await chooseFiles(page.getByLabel('Image: choose a file'), await pictureFile());
  await expect(page.getByText('Try the file again, or clear it.')).toBeVisible();
  await expect(run).toBeDisabled();
  await page.getByRole('button', { name: 'Try again with portrait.png' }).click();
  await page.getByLabel('Light', { exact: true }).selectOption('neon');
  await page.getByLabel('Mood').pressSequentially('the lamp of @ana');
  await page.getByRole('option', { name: /Ana Plum/ }).click();
  await expect(page.getByLabel('Mood')).toHaveValue(`the lamp of @${handle} `);
  await expect(page.locator('[data-mention=known]')).toHaveText(`@${handle}`);
  await expect(page.getByRole('button', { name: 'Remove image' })).toBeVisible();
  await run.click();
  await expect(page.getByRole('region', { name: 'Run of Relight' }).getByText('done')).toBeVisible({ timeout: 60_000 });
  const [newest] = await requestsOf({ call });
  const made = await call('GET', `/v1/requests/${newest!.request_id}`);
  expect(await made.json()).toMatchObject({ mentions: [{ handle, kind: 'character' }] });
});

test('an upload that finishes while the user types is kept, and no typed text is lost', async ({
  someone: { page, context },
}) => {
  await page.goto('/recipes/relight');
  const goOn = await hold(page, '**/media/upload/**');
  await chooseFiles(page.getByLabel('Image: choose a file'), await pictureFile());
  // throttled, so that keys arrive before the change of the file is rendered
  const browser = await context.newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  const words = page.getByLabel('Mood');
  await words.pressSequentially('a long text');
  await expect(page.getByText('Wait until the upload is done.')).toBeVisible();
  goOn();
  await words.pressSequentially(' that is typed while the file is on its way'.repeat(3));
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await expect(page.getByRole('button', { name: 'Remove image' })).toBeVisible();
  await expect(words).toHaveValue(/^a long text that .* on its way$/);
});

test('a run whose answer was lost is not started twice, and other inputs start another run', async ({
  someone: { page, call },
}) => {
  await page.goto('/recipes/storyboard');
  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  await page.getByLabel('Shots').fill('A harbour at dawn');
  await page.getByLabel('Cast', { exact: true }).fill('Mara');
  await expect(run).toContainText('114');
  await loseAnswers(page, '**/v1/recipes/storyboard', 2);
  const runs = page.getByRole('region', { name: 'Run of Storyboard' });
  for (const _ of ['first', 'after a reload']) {
    const lost = page.waitForEvent('requestfailed');
    await run.click();
    await lost;
    await expect(page.getByText('The server cannot be reached.')).toBeVisible();
    await expect(runs).toHaveCount(1);
    await page.reload();
  }
  await page.getByLabel('Cast', { exact: true }).fill('Nora');
  await run.dblclick();
  await expect(runs).toHaveCount(2);
  const { data } = await (await call('GET', '/v1/recipes/runs?recipe=storyboard')).json();
  expect(data.map(({ inputs }: { inputs: { cast: string } }) => inputs.cast)).toEqual(['Nora', 'Mara']);
});

test('a run is cancelled after a cost warning and run again at the shown price, even if answers are lost', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  const { run_id } = (await (await call('POST', '/v1/recipes/thumbnail', COVERS)).json()) as RunWire;
  const ask = async () => (await (await call('GET', `/v1/recipes/runs/${run_id}`)).json()) as RunWire;
  const live = (await (await call('POST', '/v1/z_image/generate', { prompt: 'a fig' })).json()) as RequestWire;
  const { billing } = await ask();
  // simulates a step that a worker has submitted
  await page.route('**/v1/recipes/runs?*', async route => {
    const response = await route.fetch();
    const list = (await response.json()) as ListWire<RunWire>;
    for (const { status, steps } of list.data) if (status === 'running') steps[0]!.requests = [live];
    await route.fulfill({ response, json: list });
  });
  await page.goto(`${idle.baseURL}/recipes/thumbnail`);
  const run = page.getByRole('region', { name: 'Run of Thumbnail' });
  const cancel = run.getByRole('button', { name: 'Cancel', exact: true }).first();
  const dialog = page.getByRole('dialog', { name: 'Cancel the run?' });
  await cancel.click();
  await expect(dialog).toContainText(`${live.billing.gems_charged} gems will not be refunded.`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(dialog).toBeHidden();
  expect((await ask()).status).toBe('running');

  await loseAnswers(page, '**/v1/recipes/runs/*/cancel');
  await cancel.click();
  await dialog.getByRole('button', { name: 'Stop it' }).click();
  const again = run.getByRole('button', { name: `Run what is missing ${billing.gems_estimated} gems` });
  await expect(again).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(await ask()).toMatchObject({ status: 'cancelled', billing: { gems_missing: billing.gems_estimated } });

  await loseAnswers(page, '**/v1/recipes/runs/*/retry');
  const sent = page.waitForRequest('**/v1/recipes/runs/*/retry');
  await again.click();
  expect((await sent).headers()['max-gems']).toBe(String(billing.gems_estimated));
  await expect(page.getByText('No answer came.', { exact: true })).toBeVisible();
  await expect(cancel).toBeVisible();
  expect((await ask()).status).toBe('running');
});

test('a run started before its new price has loaded is sent with that price as its limit', async ({
  someone: { page },
}) => {
  await page.goto('/recipes/storyboard');
  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  await page.getByLabel('Cast', { exact: true }).fill('Mara');
  await page.getByLabel('Shots').fill('A harbour at dawn');
  await expect(run).toContainText('114');
  const priced = await hold(page, '**/v1/recipes/storyboard/estimate');
  await page.getByLabel('Shots').fill('A harbour at dawn\nA letter is opened');
  await expect(run).toHaveAttribute('aria-busy', 'true');
  const asked = page.waitForRequest('**/v1/recipes/storyboard/estimate');
  await asked;
  await expect(run).toHaveAttribute('aria-busy', 'true');
  const sent = page.waitForRequest('**/v1/recipes/storyboard');
  const pressed = run.click();
  priced();
  await pressed;
  expect((await sent).headers()['max-gems']).toBe('171');

  // a deleted result disappears from its run immediately
  const story = page.getByRole('region', { name: 'Run of Storyboard' });
  await expect(story.getByText('done, 2 of 2')).toBeVisible({ timeout: 60_000 });
  await story.getByRole('link', { name: 'Open: Storyboard, Shots: A harbour at dawn' }).click();
  await page.getByRole('dialog', { name: 'Result' }).getByRole('button', { name: 'Delete' }).click();
  const gone = page.waitForResponse(answer => answer.request().method() === 'DELETE');
  await page.keyboard.press('Escape');
  const shot = story.getByRole('article', { name: /A harbour at dawn$/ });
  await expect(shot).toHaveCount(0);
  await gone;
  await expect(page.getByText('Deleted', { exact: true })).toBeHidden();
  await expect(shot).toHaveCount(0);
});

test('a favourite in a run is shown immediately, and a second press removes it', async ({
  someone: { page, call },
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/recipes/storyboard');
  await page.getByLabel('Cast', { exact: true }).fill('Mara');
  await page.getByLabel('Shots').fill('A harbour at dawn');
  await page.getByRole('button', { name: /^Run [\d,]+ gem/ }).click();
  const story = page.getByRole('region', { name: 'Run of Storyboard' });
  await expect(story.getByText('done')).toHaveCount(2, { timeout: 60_000 });
  const shot = story.getByRole('article', { name: /A harbour at dawn$/ });
  const press = async (act: string) => {
    await shot.hover();
    await shot.getByRole('button', { name: 'More' }).click();
    // recipes have no seed
    await expect(page.getByRole('menuitem', { name: 'Same seed' })).toHaveCount(0);
    await page.getByRole('menuitem', { name: act, exact: true }).click();
  };
  const told = await holdAnswer(page, '**/favourite');
  await press('Favourite');
  const taken = page.waitForResponse(answer => answer.request().method() === 'DELETE');
  await press('Favourite: undo');
  told();
  expect((await taken).status()).toBe(200);
  const favourites = async () => (await requestsOf({ call })).filter(({ favourite }) => favourite);
  expect(await favourites()).toEqual([]);
  await press('Favourite');
  await expect.poll(favourites).toHaveLength(1);

  // marking a favourite is answered while the runs are loading
  await page.goto('/history');
  const answer = await holdAnswer(page, '**/favourite');
  await page
    .getByRole('button', { name: /^Favourite: / })
    .first()
    .click();
  const show = await hold(page, '**/v1/recipes/runs?*');
  const asked = page.waitForRequest('**/v1/recipes/runs?*');
  await page.getByRole('link', { name: 'Recipes' }).first().click();
  await page
    .getByRole('link', { name: /Storyboard/ })
    .first()
    .click();
  await asked;
  const answered = page.waitForResponse('**/favourite');
  answer();
  await answered;
  show();
  await expect(story.getByText('done')).toHaveCount(2);
});
