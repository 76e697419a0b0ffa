import sharp from 'sharp';
import { expectAccessible } from '../page-checks.ts';
import { loseAnswers } from './network.ts';
import { expect, make, requestsOf, test } from './someone.ts';

// editing a region of an image, or extending it beyond its edges

test('a region of a result can be painted and edited, and the image extended beyond its edges', async ({
  someone: { page, call },
}) => {
  const { request_id } = await make({ call }, 'z_image', { prompt: 'a fig', aspect_ratio: '1:1' });
  await page.goto(`/history/${request_id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit' });
  const edit = dialog.getByRole('button', { name: /^Edit [\d,]+ gem/ });
  await expect(dialog.getByRole('img', { name: 'nothing is marked yet' })).toBeVisible();
  await expectAccessible(page);
  const words = dialog.getByLabel('What should be there instead');
  await words.fill('a wasp');
  await expect(edit).toBeDisabled();
  await words.press('Control+Enter');

  const box = (await dialog.getByRole('img').last().boundingBox())!;
  // a click without dragging marks nothing with these tools, nor does the eraser
  for (const tool of ['Rectangle', 'Lasso', 'Brush']) {
    await dialog.getByRole('button', { name: tool }).click();
    if (tool === 'Brush') await dialog.getByRole('button', { name: 'Erase' }).click();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect(dialog.getByRole('img', { name: 'nothing is marked yet' })).toBeVisible();
    await expect(edit).toBeDisabled();
  }
  await dialog.getByRole('button', { name: 'Erase' }).click();
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
  // the marked region and the text survive a reload
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(dialog.getByRole('img', { name: 'with a region marked' })).toBeVisible();
  const price = /[\d,]+/.exec((await edit.textContent())!)![0];
  const sent = page.waitForRequest(request => request.method() === 'POST' && /\/v1\/recipes\//.test(request.url()));
  await words.press('Control+Enter');
  expect((await sent).headers()['max-gems']).toBe(price.replace(',', ''));
  // progress is shown in Create, under the title of the edit
  await expect(page).toHaveURL(/\/create\/mango$/);
  await expect(page.getByRole('main').locator(':focus')).toBeAttached();
  const edited = page.getByRole('article', { name: 'Edit a region: a wasp' });
  await edited.getByRole('link', { name: 'Open: Edit a region: a wasp' }).click();
  const viewer = page.getByRole('dialog', { name: 'Result' });
  const save = viewer.getByRole('link', { name: 'Download', exact: true });
  await expect(save).toHaveAttribute('download', 'Edit-a-region-a-wasp.png', { timeout: 60_000 });
  await expect(viewer.getByRole('region', { name: 'Prompt' }).getByText('Edit a region: a wasp')).toBeVisible();
  await expect(viewer.getByText('The change, inside the magenta region only')).toBeHidden();
  // a variation is run by the recipe too
  await viewer.getByRole('button', { name: /^Vary/ }).click();
  await expect(page.getByText('Started', { exact: true })).toBeVisible();
  await expect
    .poll(async () => (await requestsOf({ call }, '?limit=2')).map(({ run }) => run?.title))
    .toEqual(['Edit a region: a wasp', 'Edit a region: a wasp']);
  // `Use settings` opens the recipe
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
  // the draft is cleared once it was sent
  await expect(dialog.getByRole('img', { name: 'nothing is marked yet' })).toBeVisible();
  await dialog.getByText('Beyond the edges').click();
  const right = dialog.getByRole('slider', { name: 'Room at the right' });
  await right.focus();
  for (let presses = 0; presses < 15; presses++) await right.press('ArrowRight');
  await expect(dialog.getByText('The image will be 16:9.')).toBeVisible();
  await expectAccessible(page);
  await edit.click();
  // without a text, the title is that of the source image
  await expect(page.getByRole('article', { name: 'Outpaint: a fig' })).toBeVisible();
});

test('the edit canvas can be zoomed and moved, and has keyboard shortcuts', async ({ someone: { page, call } }) => {
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

  // in a text field, letters are typed and are no shortcuts
  await dialog.getByLabel('What should be there instead').fill('');
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
  await isOn('Erase');
  await page.keyboard.press('e');
  await page.keyboard.press('m');
  await isOn('Rectangle');
  await page.keyboard.press('Control+z');
  await expect(canvas).toHaveAccessibleName(/nothing is marked yet/);

  await page.mouse.wheel(0, -500);
  await expect.poll(async () => (await boxOf()).width).toBeGreaterThan(whole.width * 2);
  await drag(60);
  // the mark is exactly where the pointer was on the zoomed image
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
  const moved = await boxOf();
  expect(moved.x - x).toBeCloseTo(40, 0);
  // Space is released in another window
  await page.keyboard.down('Space');
  await page.evaluate(() => dispatchEvent(new Event('blur')));
  await drag(40);
  expect((await boxOf()).x).toBe(moved.x);
  await page.keyboard.up('Space');
  await page.keyboard.press('0');
  expect((await boxOf()).width).toBe(whole.width);
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  expect((await boxOf()).width).toBeGreaterThan(whole.width);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test.describe('on a phone', () => {
  // without animations, as a dialog that still moves would be touched at the wrong place
  const contextOptions = { reducedMotion: 'reduce' } as const;
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, contextOptions });

  test('a region can be painted by finger or pen, and two fingers zoom', async ({ someone: { page, call } }) => {
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
    // the touch painted and did not scroll
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

    // two fingers zoom, and the first of them paints nothing
    const [left, right] = [at(0.55), at(0.65)];
    await touch('touchStart', left);
    await touch('touchStart', left, right);
    for (const apart of [10, 25, 40])
      await touch('touchMove', { ...left, x: left.x - apart }, { ...right, x: right.x + apart });
    await touch('touchEnd');
    expect((await canvas.boundingBox())!.width).toBeGreaterThan(box.width * 1.5);
    expect([await isMarked(0.3), await isMarked(0.55), await isMarked(0.65)]).toEqual([true, false, false]);

    // the new request is scrolled into view, below the form
    await page.getByLabel('What should be there instead').fill('a wasp');
    await page.getByRole('button', { name: /^Edit [\d,]+ gem/ }).tap();
    await expect(page.getByRole('article', { name: 'Edit a region: a wasp' })).toBeInViewport();
  });
});

test('an edit retried after a lost response is created once, even after closing its dialog', async ({
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
