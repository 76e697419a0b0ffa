import sharp from 'sharp';
import type { RunWire } from '#lib/contract/recipe-schemas';
import type { ListWire, RequestWire } from '#lib/contract/schemas';
import { expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { openCreate, promptField } from './create-page.ts';
import { chooseFiles, pictureAddress, pictureFile } from './device-files.ts';
import { hold, holdAnswer, loseAnswers } from './network.ts';
import { expect, freshName, make, requestsOf, test, untilItListens } from './someone.ts';

const COVERS = { topic: 'why lighthouses went dark', covers: 2 };

// several generations as one: found from Create, priced, run, opened, and run again where it stopped

test('a recipe is found from Create, priced as its form changes, run to its end and opened', async ({ someone }) => {
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
  await run.click();
  await expect(page.getByText('This is needed')).toBeVisible();
  await page.getByLabel('Cast').fill('Mara, 60, captain of the ferry');
  await page.setViewportSize({ width: 390, height: 844 });
  await run.click();
  const story = page.getByRole('region', { name: 'Run of Storyboard' });
  await expect(story.getByText('done, 2 of 2')).toBeVisible({ timeout: 60_000 });
  await expect(story.getByText('171').first()).toBeVisible();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await story.getByRole('link', { name: 'Open: Storyboard, Shots: A harbour at dawn' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  // cancelled in its first step, it goes on where it stopped
  const started = await call('POST', '/v1/recipes/storyboard', { shots: ['One'], cast: 'Mara' });
  const { cancel_url } = (await started.json()) as { cancel_url: string };
  await call('POST', cancel_url);
  await page.reload();
  const stopped = page.getByRole('region', { name: 'Run of Storyboard' }).first();
  await stopped.getByRole('button', { name: 'Run what is missing' }).click();
  await expect(stopped.getByText('done')).toHaveCount(2, { timeout: 60_000 });
});

test('what one sets in a recipe is there after another page and a reload, and is of that recipe alone', async ({
  someone: { page, context },
}) => {
  await openCreate(page, '/create/z_image');
  await promptField(page).fill('A windmill');
  await page.goto('/recipes/relight');
  const mood = page.getByLabel('Mood');
  await chooseFiles(page.getByLabel('Image: take a file'), await pictureFile());
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

  // what an address brings along goes in once
  await page.goto('/recipes/relight?mood=noon');
  await expect(mood).toHaveValue('noon');
  await expect(page).toHaveURL(/relight$/);
  await expect(page.getByLabel('Light', { exact: true })).toHaveValue('neon');
  await mood.fill('dusk');
  await page.reload();
  await expect(mood).toHaveValue('dusk');

  // Create opens where one left it, with its own words
  const { value } = (await context.cookies()).find(({ name }) => name === 'last_architecture')!;
  expect(value).toBe('z_image');
  await openCreate(page, '/create/chroma');
  await expect(promptField(page)).toHaveValue('A windmill');
});

test('out of gems, a recipe offers the input that they still pay for, and says where more come from', async ({
  someone: { page },
}) => {
  await page.goto('/recipes/storyboard');
  await page.getByLabel('Shots').fill('A harbour\n'.repeat(8));
  await page.getByRole('radio', { name: 'best' }).check();
  await page.getByRole('radio', { name: '2K' }).check();
  await expect(page.getByText('This costs 1,215 gems, and you have 1,000.')).toBeVisible();
  await expect(page.getByText('Ask the operator for more gems.')).toBeVisible();
  // of the inputs that would do, the dearest
  await page.getByRole('button', { name: 'Resolution 1K for 855 gems' }).click();
  await expect(page.getByRole('radio', { name: '1K' })).toBeChecked();
  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  await expect(run).toContainText('855');
  await expect(run).toBeEnabled();
  await expect(page.getByText('Ask the operator for more gems.')).toBeHidden();
});

for (const [width, height] of [
  [390, 844],
  [768, 1024],
  [1440, 900],
] as const)
  test(`in a window of ${width} the button that runs a recipe is in reach from each of its fields`, async ({
    someone: { page },
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/recipes/storyboard');
    const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
    // what a press there would meet
    const isInReach = () =>
      run.evaluate(button => {
        const { left, top, bottom } = button.getBoundingClientRect();
        const meets = (y: number) => button.contains(document.elementFromPoint(left + 24, y));
        return meets(top + 2) && meets(bottom - 2);
      });
    await expect.poll(isInReach).toBe(true);
    const last = page.getByRole('radio', { name: '2K' });
    await untilItListens(last);
    // a field that the keyboard comes to is not behind the button
    await last.focus();
    await expect.poll(async () => (await run.boundingBox())!.y - (await last.boundingBox())!.y).toBeGreaterThan(24);
    expect(await isInReach()).toBe(true);
  });

for (const path of ['/create/z_image', '/recipes/relight'])
  test(`the form of ${path} takes nothing that it would lose: it cannot be used before it answers`, async ({
    someone: { page },
  }) => {
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

test('a picture goes into a recipe by its form, and its words mention the cast', async ({
  someone: { page, call },
}) => {
  const handle = freshName().toLowerCase();
  const image = await pictureAddress();
  expect((await call('POST', '/v1/characters', { name: 'Ana Plum', handle, image })).status()).toBe(201);
  await page.goto('/recipes/relight');
  const run = page.getByRole('button', { name: /^Run [\d,]+ gem/ });
  // one that did not come is waited for
  await page.route('**/media/upload/**', route => route.abort(), { times: 1 });
  await chooseFiles(page.getByLabel('Image: take a file'), await pictureFile());
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

test('a file that arrives while one types keeps its place', async ({ someone: { page, context } }) => {
  await page.goto('/recipes/relight');
  const goOn = await hold(page, '**/media/upload/**');
  await chooseFiles(page.getByLabel('Image: take a file'), await pictureFile());
  // on a slow machine, where a key comes before what the file changed is drawn
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

test('a region of a result is painted and edited; its frame is drawn larger', async ({ someone: { page, call } }) => {
  const { request_id } = await make({ call }, 'z_image', { prompt: 'a fig', aspect_ratio: '1:1' });
  await page.goto(`/history/${request_id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit' });
  const edit = dialog.getByRole('button', { name: /^Edit [\d,]+ gem/ });
  await expect(dialog.getByRole('img', { name: 'nothing is marked yet' })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('What is to be there instead').fill('a wasp');
  await expect(edit).toBeDisabled();

  const box = (await dialog.getByRole('img').last().boundingBox())!;
  // neither of these marks anything
  for (const tool of ['Rectangle', 'Lasso', 'Brush']) {
    await dialog.getByRole('button', { name: tool }).click();
    if (tool === 'Brush') await dialog.getByRole('button', { name: 'Take away' }).click();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect(dialog.getByRole('img', { name: 'nothing is marked yet' })).toBeVisible();
    await expect(edit).toBeDisabled();
  }
  await dialog.getByRole('button', { name: 'Take away' }).click();
  const drag = async (from: number, to: number) => {
    await page.mouse.move(box.x + box.width * from, box.y + box.height * from);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + box.height * to, { steps: 4 });
    await page.mouse.up();
  };
  await drag(0.1, 0.3);
  await page.keyboard.press('Control+z');
  await expect(edit).toBeDisabled();
  await page.keyboard.press('Control+Shift+z');
  await expect(edit).toBeEnabled();
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByRole('button', { name: 'Rectangle' }).click();
  await drag(0.25, 0.75);
  // what is painted and written is still there after the page was left
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(dialog.getByRole('img', { name: 'with a region marked' })).toBeVisible();
  const price = /[\d,]+/.exec((await edit.textContent())!)![0];
  const sent = page.waitForRequest(request => request.method() === 'POST' && /\/v1\/recipes\//.test(request.url()));
  await edit.click();
  expect((await sent).headers()['max-gems']).toBe(price.replace(',', ''));
  // it grows where everything grows, under the name of what was done
  await expect(page).toHaveURL(/\/create\/mango$/);
  await expect(page.getByRole('main').locator(':focus')).toBeAttached();
  const edited = page.getByRole('article', { name: 'Edit a region: a wasp' });
  await edited.getByRole('link', { name: 'Open: Edit a region: a wasp' }).click();
  const viewer = page.getByRole('dialog', { name: 'Result' });
  const save = viewer.getByRole('link', { name: 'Download', exact: true });
  await expect(save).toHaveAttribute('download', 'Edit-a-region-a-wasp.png', { timeout: 60_000 });
  await expect(viewer.getByRole('region', { name: 'Prompt' }).getByText('Edit a region: a wasp')).toBeVisible();
  await expect(viewer.getByText('The change, inside the magenta region only')).toBeHidden();
  // another one is of the recipe, too
  await viewer.getByRole('button', { name: /^Vary/ }).click();
  await expect(page.getByText('It grows', { exact: true })).toBeVisible();
  await expect
    .poll(async () => (await requestsOf({ call }, '?limit=2')).map(({ run }) => run?.title))
    .toEqual(['Edit a region: a wasp', 'Edit a region: a wasp']);
  // its settings are those of the recipe
  await viewer.getByRole('link', { name: 'Use settings' }).click();
  await expect(page).toHaveURL(/\/recipes\/edit_region$/);
  await expect(page.getByLabel('Change')).toHaveValue('a wasp');
  const { data } = await (await call('GET', '/v1/recipes/runs?recipe=edit_region')).json();
  expect(data[0].inputs).toMatchObject({ change: 'a wasp', aspect_ratio: '1:1' });
  // the marked copy is magenta inside of the rectangle, and nowhere else
  const copy = sharp(await (await call('GET', data[0].inputs.marked)).body()).removeAlpha();
  const { data: pixels, info } = await copy.raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [
    ...pixels.subarray(3 * (Math.round(y * info.height) * info.width + Math.round(x * info.width))).subarray(0, 3),
  ];
  expect(at(0.5, 0.5)).toEqual([255, 0, 255]);
  expect(at(0.1, 0.1)).not.toEqual([255, 0, 255]);

  await page.goto(`/history/${request_id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  // what was sent is no draft any more
  await expect(dialog.getByRole('img', { name: 'nothing is marked yet' })).toBeVisible();
  await dialog.getByText('Beyond the edges').click();
  const right = dialog.getByRole('slider', { name: 'Room at the right' });
  await right.focus();
  for (let presses = 0; presses < 15; presses++) await right.press('ArrowRight');
  await expect(dialog.getByText('The image will be 16:9.')).toBeVisible();
  await expectAccessible(page);
  await edit.click();
  // without words of one's own it is called by what it begins from
  await expect(page.getByRole('article', { name: 'Outpaint: a fig' })).toBeVisible();
});

test('what is painted on is zoomed, and has keys of its own', async ({ someone: { page, call } }) => {
  const { request_id } = await make({ call }, 'z_image', { prompt: 'a fig', aspect_ratio: '1:1' });
  await page.goto(`/history/${request_id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit' });
  const canvas = dialog.getByRole('img');
  const boxOf = async () => (await canvas.boundingBox())!;
  await expect(canvas).toHaveAccessibleName(/nothing is marked yet/);
  const whole = await boxOf();
  const middle = { x: whole.x + whole.width / 2, y: whole.y + whole.height / 2 };
  const drag = async (by: number) => {
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    await page.mouse.move(middle.x + by, middle.y + by, { steps: 3 });
    await page.mouse.up();
  };
  const size = dialog.getByRole('slider', { name: 'Size of the brush' });
  const sizeNow = async () => Number(await size.inputValue());
  const isOn = (name: string) => expect(dialog.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true');

  // letters are words where one writes
  await dialog.getByLabel('What is to be there instead').fill('');
  await page.keyboard.type('m[');
  await isOn('Brush');
  await drag(0);
  const before = await sizeNow();
  await page.keyboard.press(']');
  expect(await sizeNow()).toBeGreaterThan(before);
  await page.keyboard.press('[');
  await page.keyboard.press('[');
  expect(await sizeNow()).toBeLessThan(before);
  await page.keyboard.press('e');
  await isOn('Take away');
  await page.keyboard.press('e');
  await page.keyboard.press('m');
  await isOn('Rectangle');
  await page.keyboard.press('Control+z');
  await expect(canvas).toHaveAccessibleName(/nothing is marked yet/);

  await page.mouse.wheel(0, -500);
  await expect.poll(async () => (await boxOf()).width).toBeGreaterThan(whole.width * 2);
  await drag(60);
  // it is marked where one has seen it, and no farther
  const isMarked = (by: number) =>
    canvas.evaluate(
      (element: HTMLCanvasElement, { x, y }) => {
        const { left, top, width } = element.getBoundingClientRect();
        const part = element.width / width;
        return element.getContext('2d')!.getImageData((x - left) * part, (y - top) * part, 1, 1).data[3] === 255;
      },
      { x: middle.x + by, y: middle.y + by },
    );
  expect([await isMarked(-10), await isMarked(10), await isMarked(50), await isMarked(70)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const { x } = await boxOf();
  await page.keyboard.down('Space');
  await drag(40);
  await page.keyboard.up('Space');
  expect((await boxOf()).x - x).toBeCloseTo(40, 0);
  await page.keyboard.press('0');
  expect((await boxOf()).width).toBe(whole.width);
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  expect((await boxOf()).width).toBeGreaterThan(whole.width);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test.describe('on a phone', () => {
  // a dialog that still comes in is not yet where it will be touched
  const contextOptions = { reducedMotion: 'reduce' } as const;
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, contextOptions });

  test('a region is painted by finger and by pen', async ({ someone: { page, call } }) => {
    const { request_id } = await make({ call }, 'z_image', { prompt: 'a fig', aspect_ratio: '1:1' });
    await page.goto(`/history/${request_id}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).tap();
    const canvas = page.getByRole('dialog', { name: 'Edit' }).getByRole('img');
    await expect(canvas).toHaveAccessibleName(/nothing is marked yet/);
    await expect(page.getByRole('button', { name: /^Edit [\d,]+ gem/ })).toBeInViewport({ ratio: 1 });
    const box = (await canvas.boundingBox())!;
    const at = (part: number) => ({ x: box.x + box.width * part, y: box.y + box.height * part });
    const isMarked = (part: number) =>
      canvas.evaluate((element: HTMLCanvasElement, on: number) => {
        const [x, y] = [Math.round(element.width * on), Math.round(element.height * on)];
        return element.getContext('2d')!.getImageData(x, y, 1, 1).data[3] === 255;
      }, part);

    const hand = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      hand.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', at(0.2));
    for (const part of [0.25, 0.3, 0.35, 0.4]) await touch('touchMove', at(part));
    await touch('touchEnd');
    expect([await isMarked(0.2), await isMarked(0.3), await isMarked(0.7)]).toEqual([true, true, false]);
    // the finger painted; it did not scroll
    expect((await canvas.boundingBox())!.y).toBe(box.y);

    const pen = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', part: number) =>
      hand.send('Input.dispatchMouseEvent', {
        ...at(part),
        type,
        pointerType: 'pen',
        button: 'left',
        buttons: 1,
        clickCount: 1,
        force: 0.5,
      });
    await pen('mousePressed', 0.6);
    for (const part of [0.65, 0.7, 0.75]) await pen('mouseMoved', part);
    await pen('mouseReleased', 0.75);
    expect([await isMarked(0.3), await isMarked(0.7), await isMarked(0.9)]).toEqual([true, true, false]);
    await page.getByRole('button', { name: 'Undo' }).tap();
    expect([await isMarked(0.3), await isMarked(0.7)]).toEqual([true, false]);

    // two fingers zoom: the first one has painted nothing
    const [left, right] = [at(0.55), at(0.65)];
    await touch('touchStart', left);
    await touch('touchStart', left, right);
    for (const apart of [10, 25, 40])
      await touch('touchMove', { ...left, x: left.x - apart }, { ...right, x: right.x + apart });
    await touch('touchEnd');
    expect((await canvas.boundingBox())!.width).toBeGreaterThan(box.width * 1.5);
    expect([await isMarked(0.3), await isMarked(0.55), await isMarked(0.65)]).toEqual([true, false, false]);

    // what was paid for is in sight, not the form that is above it
    await page.getByLabel('What is to be there instead').fill('a wasp');
    await page.getByRole('button', { name: /^Edit [\d,]+ gem/ }).tap();
    await expect(page.getByRole('article', { name: 'Edit a region: a wasp' })).toBeInViewport();
  });
});

test('a run whose answer was lost is not started twice, and other inputs are a run of their own', async ({
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

test('a run is cancelled by who has read what that costs, and run again at a price that is named, though answers are lost', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  const { run_id } = (await (await call('POST', '/v1/recipes/thumbnail', COVERS)).json()) as RunWire;
  const ask = async () => (await (await call('GET', `/v1/recipes/runs/${run_id}`)).json()) as RunWire;
  const live = (await (await call('POST', '/v1/z_image/generate', { prompt: 'a fig' })).json()) as RequestWire;
  const { billing } = await ask();
  // as if a worker had submitted one
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
  await expect(dialog).toContainText(`${live.billing.gems_charged} gems will not be returned.`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Let it grow' }).click();
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

test('an edit whose answer was lost is made once, also after its dialog was closed', async ({
  someone: { page, call },
}) => {
  const { request_id } = await make({ call }, 'z_image', { prompt: 'a fig', aspect_ratio: '1:1' });
  await page.goto(`/history/${request_id}`);
  const open = page.getByRole('button', { name: 'Edit', exact: true });
  const dialog = page.getByRole('dialog', { name: 'Edit' });
  const edit = dialog.getByRole('button', { name: /^Edit [\d,]+ gem/ });
  await open.click();
  await dialog.getByText('Beyond the edges').click();
  await dialog.getByRole('slider', { name: 'Room at the right' }).press('ArrowRight');
  await loseAnswers(page, '**/v1/recipes/outpaint');
  await edit.click();
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached.');
  await page.keyboard.press('Escape');
  await open.click();
  await edit.click();
  await expect(page).toHaveURL(/\/create\/mango$/);
  await expect(page.getByRole('article', { name: 'Outpaint: a fig' })).toHaveCount(1);
  const { data } = await (await call('GET', '/v1/recipes/runs?recipe=outpaint')).json();
  expect(data).toHaveLength(1);
});

test('a run is sent at the price of what is asked for, however late that is known', async ({ someone: { page } }) => {
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

  // what is deleted from a run is gone from it at once
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

test('what is marked in a run shows at once, and is taken back at a second press', async ({
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
    await page.getByRole('menuitem', { name: act, exact: true }).click();
  };
  const told = await holdAnswer(page, '**/favourite');
  await press('Favourite');
  const taken = page.waitForResponse(answer => answer.request().method() === 'DELETE');
  await press('Favourite: take back');
  told();
  expect((await taken).status()).toBe(200);
  const favourites = async () => (await requestsOf({ call })).filter(({ favourite }) => favourite);
  expect(await favourites()).toEqual([]);
  await press('Favourite');
  await expect.poll(favourites).toHaveLength(1);

  // a mark that is answered while the runs are on their way
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
