import { readFile } from 'node:fs/promises';
import type { Download } from '@playwright/test';
import { expectAccessible } from '../page-checks.ts';
import { openCreate } from './create-page.ts';
import { hold } from './network.ts';
import { expect, make, test, untilItListens } from './someone.ts';

test.use({ viewport: { width: 1440, height: 900 } });

test('a result can be saved in another file format', async ({ someone }) => {
  const { page } = someone;
  await make(someone, 'z_image', { prompt: 'a still' });
  await make(someone, 'seed_audio', { prompt: 'a bell' });
  await openCreate(page, '/create/z_image');
  for (const [name, format, extension, start] of [
    ['a still', 'JPEG', 'jpg', [0xff, 0xd8, 0xff]],
    ['a still', 'WebP', 'webp', [...Buffer.from('RIFF')]],
    ['a bell', 'WAV', 'wav', [...Buffer.from('RIFF')]],
  ] as const) {
    await page
      .getByRole('group', { name: `Actions: ${name}` })
      .getByRole('button', { name: 'More' })
      .click();
    await page.getByRole('menuitem', { name: /(save|Download) as…/ }).click();
    if (format === 'JPEG') await expectAccessible(page);
    const saved = page.waitForEvent('download');
    await page
      .getByRole('dialog', { name: /(save|Download) as/ })
      .getByRole('button', { name: format })
      .click();
    const file: Download = await saved;
    expect(file.suggestedFilename()).toBe(`${name.replace(' ', '-')}.${extension}`);
    expect([...(await readFile(await file.path())).subarray(0, start.length)]).toEqual([...start]);
  }
});

test('an image is copied at full size, and a refusal by the browser is reported', async ({ someone }) => {
  const { page, context } = someone;
  await make(someone, 'z_image', { prompt: 'a still' });
  await openCreate(page, '/create/z_image');
  const copy = async () => {
    await page.getByRole('group', { name: 'Actions: a still' }).getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Copy or save as…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  };
  await context.grantPermissions([]);
  await copy();
  await expect(page.getByRole('dialog').getByText('The image was not copied.')).toBeVisible();
  await page.keyboard.press('Escape');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await copy();
  // the copy is announced to screen readers as well
  await expect(page.getByText('Paste it wherever an image can go.', { exact: true })).toBeVisible();
  const size = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const { width, height } = await createImageBitmap(await item!.getType('image/png'));
    return [width, height];
  });
  expect(size).toEqual([896, 1120]);
});

test('a part of an audio result can be played before it is saved, and is saved at 48 kHz', async ({ someone }) => {
  const { page } = someone;
  const { request_id } = await make(someone, 'seed_audio', { prompt: 'a bell' });
  await page.goto(`/history/${request_id}`);
  const trim = page.getByRole('button', { name: 'Trim' });
  await trim.click();
  await page.getByRole('slider', { name: 'End of the part' }).fill('0.5');
  await expect(page.getByText('0.5 s are kept')).toBeVisible();
  await expectAccessible(page);
  const hear = page.getByRole('button', { name: 'Play the part' });
  await hear.click();
  await expect(hear).toBeHidden();
  // playback stops at the end of the part
  await expect(hear).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the part' }).click();
  const wav = await readFile(await (await saved).path());
  expect(wav.readUInt32LE(24)).toBe(48_000);
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  await expect(trim).toBeFocused();
});

test('a video can be stepped by frames, trimmed and extended, and a frame of it can be reused', async ({ someone }) => {
  const { page } = someone;
  const { request_id } = await make(someone, 'ltx_video', { prompt: 'a river', resolution: '240p' });
  await page.goto(`/history/${request_id}`);
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  const place = page.getByRole('slider', { name: 'Position in the video' });
  await page.getByRole('button', { name: 'Next frame' }).click();
  await expect.poll(async () => Number(await place.inputValue())).toBeGreaterThan(0.03);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Take this frame' }).click();
  const use = page.getByRole('dialog', { name: 'Use it in' });
  await expect(use.getByRole('button', { name: 'Reference image of Mango' })).toBeVisible({ timeout: 30_000 });
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Trim' }).click();
  await page.getByRole('slider', { name: 'Start of the part' }).fill('1.5');
  await page.getByRole('slider', { name: 'End of the part' }).fill('2');
  await expect(page.getByText('0.5 s are kept')).toBeVisible();
  await expectAccessible(page);
  // the part loops, and starts at its beginning from any position
  const video = page.locator('video');
  for (const start of [2, 1]) {
    /** Positions before and after the jump to the beginning of the part. */
    const [from, to] = await video.evaluate(async (element: HTMLVideoElement, start) => {
      const next = (event: string) => new Promise(done => element.addEventListener(event, done, { once: true }));
      element.currentTime = start;
      await next('seeked');
      let from = start;
      element.addEventListener('timeupdate', () => (from = element.currentTime), { capture: true });
      await Promise.all([next('seeking'), element.play()]);
      return [from, element.currentTime];
    }, start);
    expect([from >= 2, from < 1.5, Math.round(to * 10)]).toEqual([start === 2, start === 1, 15]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  }
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the part' }).click();
  const part = await readFile(await (await saved).path());
  expect(part.toString('latin1', 4, 8)).toBe('ftyp');
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: /^Extend/ }).click();
  await page
    .getByRole('dialog', { name: 'Continue from its last frame with' })
    .getByRole('button', { name: 'First frame of LTX Video' })
    .click();
  await expect(page).toHaveURL(/\/create\/ltx_video$/);
  await expect(page.getByRole('button', { name: 'Remove first frame' })).toBeVisible();
});

test('Ctrl+K opens the palette while the position of a video has the focus', async ({ someone }) => {
  const { page } = someone;
  const { request_id } = await make(someone, 'ltx_video', { prompt: 'a river', resolution: '240p' });
  await page.goto(`/history/${request_id}`);
  const position = page.getByRole('slider', { name: 'Position in the video' });
  await untilItListens(position);
  await position.focus();
  await page.keyboard.press('k');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog', { name: 'Find' })).toBeVisible();
});

test('a frame taken from a video becomes an upload, and opens no dialog after its page was left', async ({
  someone,
}) => {
  const { page } = someone;
  const { request_id } = await make(someone, 'ltx_video', { prompt: 'a river', resolution: '240p' });
  await page.goto(`/history/${request_id}`);
  const release = await hold(page, '**/v1/uploads');
  const asked = page.waitForRequest('**/v1/uploads');
  await page.getByRole('button', { name: 'Take this frame' }).click();
  await asked;
  const go = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  };
  await go('References');
  const stored = page.waitForResponse(answer => answer.request().method() === 'PUT');
  release();
  await stored;
  // a dialog would intercept the clicks on the links
  await go('Characters');
  await go('Uploads');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('list', { name: 'Uploads' })).toContainText('frame.png');
});

test('a video uses the full-screen method of the browser, and its position is not announced', async ({ someone }) => {
  const { page } = someone;
  const { request_id } = await make(someone, 'ltx_video', { prompt: 'a river', resolution: '240p' });
  const full = page.getByRole('button', { name: 'Full screen' });
  // iPhones lack `requestFullscreen`, and videos have `webkitEnterFullscreen` instead
  await page.addInitScript(() => {
    Reflect.deleteProperty(Element.prototype, 'requestFullscreen');
    const enter = () => void (document.title = 'It fills the screen');
    Object.assign(HTMLVideoElement.prototype, { webkitEnterFullscreen: enter });
  });
  await page.goto(`/history/${request_id}`);
  await full.click();
  await expect(page).toHaveTitle('It fills the screen');
  await expect(page.getByRole('main').getByRole('status')).toHaveCount(0);

  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLVideoElement.prototype, 'webkitEnterFullscreen');
  });
  await page.reload();
  await page.getByRole('button', { name: 'Next frame' }).click();
  await expect(full).toHaveCount(0);
});

test('the price of a video in another model counts its seconds, and the form shows what follows the video', async ({
  someone,
}) => {
  const { page } = someone;
  // 121 frames at 24 frames per second
  const { request_id } = await make(someone, 'ltx_video', { prompt: 'a river', resolution: '240p' });
  for (const [model, gems] of [
    ['Berry', 457],
    ['Lemon', 657],
  ] as const) {
    await page.goto(`/history/${request_id}`);
    await page.getByRole('button', { name: 'Use in…' }).click();
    const use = page.getByRole('button', { name: `Source video of ${model}`, exact: true });
    await expect(page.getByRole('listitem').filter({ has: use })).toContainText(`${gems}`);
    await use.click();
    await expect(page.getByRole('button', { name: `Create ${gems} gems` })).toBeEnabled();
    const duration = page.locator('[data-field=duration]');
    if (model === 'Lemon') await expect(duration.getByRole('option').first()).toHaveText('2 s');
    else {
      await expect(page.getByRole('radio', { name: 'berry', exact: true })).toBeChecked();
      for (const field of [duration, page.locator('[data-field=aspect_ratio]')])
        await expect(field.getByText('As in the source video')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Remove source video' }).click();
      await expect(duration.getByRole('combobox')).toBeVisible();
    }
  }
});
