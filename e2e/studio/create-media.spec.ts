import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from '../page-checks.ts';
import { createButton, openCreate, promptField } from './create-page.ts';
import { CELLS, chooseFiles, dropFiles, pastePicture, pictureAddress, pictureFile } from './device-files.ts';
import { hold } from './network.ts';
import { expect, make, test } from './someone.ts';

// files of the form: chosen, dropped, pasted and uploading

/** Replaces the settings of the form. */
async function fillFromCode(page: Page, config: object) {
  await page.getByRole('button', { name: 'Code', exact: true }).click();
  await page.getByLabel('Fill the form from code').fill(JSON.stringify(config));
  await page.getByRole('button', { name: 'Fill the form' }).click();
}

test('an upload becomes an image of the request, can be viewed large and is offered as a mention', async ({
  someone,
}) => {
  const { page } = someone;
  await openCreate(page, '/create/mango');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  await expect(page.getByRole('button', { name: 'Remove reference image' })).toBeVisible();
  await expect(page.getByText('1 of 10 images')).toBeVisible();
  // the image can be viewed large, and the focus returns to its button
  const show = page.getByRole('button', { name: 'Show @image1' });
  await show.press('Enter');
  const large = page.getByRole('dialog', { name: '@image1' }).getByRole('img');
  await expect.poll(() => large.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(show).toBeFocused();
  await promptField(page).pressSequentially('@im');
  await expect(page.getByRole('option', { name: /Image 1/ })).toBeVisible();
});

test('uploads are offered by the name of their file', async ({ someone: { page } }) => {
  await openCreate(page, '/create/mango');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile('harbour.png'));
  await expect(page.getByRole('button', { name: 'Remove reference image' })).toBeVisible();
  await page.getByRole('button', { name: 'Browse' }).first().click();
  await page.getByRole('tab', { name: 'Uploads' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'harbour.png' })).toBeVisible();
});

test('pasted spreadsheet cells add no image, and a pasted image adds one', async ({ someone: { page } }) => {
  await openCreate(page, '/create/mango');
  await pastePicture(promptField(page), CELLS);
  await pastePicture(promptField(page), { 'text/html': '<img src="x.png">' });
  await expect(page.getByText('1 of 10 images')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
});

test('an image dropped from another page is accepted only if its address can be loaded from here', async ({
  someone: { page },
}) => {
  await openCreate(page, '/create/mango');
  const drop = (src: string) =>
    promptField(page).evaluate((field, html) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/html', html);
      dataTransfer.setData('text/uri-list', 'https://example.com/page');
      for (const type of ['dragover', 'drop'])
        field.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }, `<a href="https://example.com/page"><img src="${src}"></a>`);
  const dialog = page.getByRole('dialog', { name: 'Use it in' });
  await drop(await pictureAddress());
  await expect(dialog).toBeVisible();
  await expect(dialog).not.toContainText('data:');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  for (const src of ['blob:https://example.com/1', 'file:///home/ana/a.png', 'data:text/html,hello']) {
    await drop(src);
    await expect(dialog, src).toBeHidden();
  }
});

test('files dropped together each fill a free slot, and a file without a slot is reported', async ({
  someone: { page },
}) => {
  const removeButtons = page.getByRole('group', { name: 'Media' }).getByRole('button', { name: /^Remove/ });
  await openCreate(page, '/create/melon');
  await dropFiles(page, [await pictureFile('one.png'), await pictureFile('two.png')]);
  await expect(removeButtons).toHaveCount(2);
  await openCreate(page, '/create/kiwi');
  await dropFiles(page, [await pictureFile('one.png'), await pictureFile('two.png')]);
  await expect(page.getByText('no field here is free for it').first()).toBeVisible();
  await expect(removeButtons).toHaveCount(1);
});

test('files dropped together keep their order, even if the first takes longer to read', async ({
  someone: { page },
}) => {
  const names: unknown[] = [];
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/uploads'))
      names.push((request.postDataJSON() as { file_name: unknown }).file_name);
  });
  await openCreate(page, '/create/melon');
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const large = sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#ef6a2f', noise } });
  const file = { name: 'large.png', mimeType: 'image/png', buffer: await large.png().toBuffer() };
  await dropFiles(page, [file, await pictureFile('small.png')]);
  await expect(page.getByRole('group', { name: 'Media' }).getByRole('button', { name: /^Remove/ })).toHaveCount(2);
  expect(names).toEqual(['large.png', 'small.png']);
});

test('images pasted in a dialog or dropped beside it are not added to the form behind it', async ({
  someone: { page },
}) => {
  await openCreate(page, '/create/mango');
  await page.getByRole('button', { name: /choose another model/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Models' });
  await pastePicture(dialog);
  await dropFiles(page, [await pictureFile()], '[data-veil]');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await pastePicture(promptField(page));
  await expect(page.getByText('1 of 10 images')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
});

test('an upload continues while another model is open, and blocks Create until it is done', async ({
  someone: { page },
}) => {
  const choose = async (model: string) => {
    await page.getByRole('button', { name: /choose another model/ }).click();
    await page.getByRole('dialog', { name: 'Models' }).getByRole('link', { name: model }).first().click();
  };
  const goOn = await hold(page, '**/media/upload/**');
  await openCreate(page, '/create/mango');
  await promptField(page).fill('A fig');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  const upload = page.getByRole('progressbar', { name: 'Upload of portrait.png' });
  await expect(upload).toBeVisible();
  await choose('Melon');
  await expect(page).toHaveURL(/\/create\/melon$/);
  await expect(upload).toBeHidden();
  await choose('Mango');
  await expect(upload).toBeVisible();
  await expect(createButton(page)).toBeDisabled();
  await expect(page.getByText('Wait until the upload is done.')).toBeVisible();
  goOn();
  await expect(page.getByRole('button', { name: 'Remove reference image' })).toBeVisible();
  await expect(createButton(page)).toBeEnabled();
});

test('a refused file is shown as an icon, and its error in full', async ({ someone }) => {
  const { page } = someone;
  await openCreate(page, '/create/mango');
  const text = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') };
  await page.getByLabel('Reference image: choose a file').setInputFiles(text);
  const said = page.getByRole('alert').filter({ hasText: 'The file is not a JPEG, PNG, WebP, AVIF or GIF image.' });
  await expect(said).toBeVisible();
  expect(await said.evaluate(all => all.scrollHeight - all.clientHeight)).toBe(0);
  await expect(page.getByRole('img', { name: 'notes.png' })).toBeVisible();
  await expect(page.getByAltText('notes.png')).toHaveCount(0);
  // it cannot be tried again
  await expect(page.getByText('Clear the refused file.')).toBeVisible();
});

test('a reference from another site is shown as an icon and not loaded, and a lost one can be opened elsewhere', async ({
  someone: { page },
}) => {
  await openCreate(page, '/create/mango');
  await fillFromCode(page, { image: 'https://example.com/fig.png' });
  const shown = page.getByRole('img', { name: 'Reference image' });
  await expect(shown).toBeVisible();
  await expect(page.getByAltText('Reference image')).toHaveCount(0);
  const url = new URL('/media/result/lost.png', page.url()).href;
  await fillFromCode(page, { image: url });
  await expect(page.getByRole('button', { name: 'Show @image1' })).toBeVisible();
  await expect(page.getByAltText('Reference image')).toHaveCount(0);
  await page.getByRole('button', { name: 'Show @image1' }).click();
  const large = page.getByRole('dialog', { name: '@image1' });
  await expect(large.getByRole('link', { name: 'Open its address' })).toHaveAttribute('href', url);
  await expect(large.getByRole('img')).toHaveCount(0);
});

test('a result used as input is shown in its smaller copy, and a video as its preview', async ({ someone }) => {
  const { page } = someone;
  const { result: image } = await make(someone, 'z_image', { prompt: 'a fig' });
  const { result: video } = await make(someone, 'ltx_video', { prompt: 'a river', resolution: '240p' });
  const loaded: string[] = [];
  page.on('request', request => loaded.push(request.url()));
  await openCreate(page, '/create/berry');
  await fillFromCode(page, { image: image!.url });
  const small = page.getByAltText('Reference image');
  await expect.poll(() => small.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  await fillFromCode(page, { model_id: 'berry', video: video!.url });
  const still = page.getByAltText('Source video');
  await expect.poll(() => still.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
  expect(loaded).not.toContain(image!.url);
});

test('several files for one reference fill the following places, and files beyond the limit are reported', async ({
  someone: { page },
}) => {
  const files = async (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => pictureFile(`${index}.png`)));
  const remove = page.getByRole('button', { name: 'Remove reference image' });
  const removeMore = page.getByRole('button', { name: /^Remove (?!reference image)/ });
  await openCreate(page, '/create/mango');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await files(3));
  await expect(remove).toHaveCount(1);
  await expect(removeMore).toHaveCount(2);
  // the badges show the names used in the prompt, also after the first image is removed
  const badges = page.getByText(/^@image\d$/);
  await expect(badges).toHaveText(['@image1', '@image2', '@image3']);
  const tiles = page.getByRole('group', { name: 'Media' }).getByRole('img');
  await remove.click();
  await expect(tiles).toHaveCount(2);
  await expect(badges).toHaveText(['@image1', '@image2']);
  await promptField(page).pressSequentially('@image');
  await expect(page.getByRole('option')).toHaveCount(2);

  await openCreate(page, '/create/melon');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await files(5));
  await expect(page.getByText('There is room for 4 of these 5.', { exact: true })).toBeVisible();
  await expect(page.getByText('4 of 4 images')).toBeVisible();
});

test('several files keep the order in which they were chosen, whichever upload ends first', async ({
  someone: { page },
}) => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const urls: string[] = [];
  let asked = 0;
  await page.route('**/v1/uploads', async route => {
    const nth = asked++;
    if (nth === 0) await isReleased;
    const response = await route.fetch();
    urls[nth] = ((await response.json()) as { url: string }).url;
    await route.fulfill({ response });
  });
  await openCreate(page, '/create/mango');
  await promptField(page).fill('A fig');
  const files = await Promise.all(['one.png', 'two.png', 'three.png'].map(name => pictureFile(name)));
  await chooseFiles(page.getByLabel('Reference image: choose a file'), files);
  // the last file is uploaded, but becomes a reference only after the first one
  await page.waitForResponse(response => response.request().method() === 'PUT');
  await expect.poll(() => urls.filter(Boolean)).toHaveLength(2);
  release();
  await expect(page.getByText(/^@image\d$/)).toHaveText(['@image1', '@image2', '@image3']);
  const sent = page.waitForRequest('**/generate');
  await createButton(page).click();
  expect((await sent).postDataJSON()).toMatchObject({ image: urls[0], additional_images: urls.slice(1) });
});

test('a failed upload blocks Create until it is cleared', async ({ someone: { page } }) => {
  await page.route('**/media/upload/**', route => route.abort());
  await openCreate(page, '/create/mango');
  await promptField(page).fill('A fig');
  await expect(createButton(page)).toBeEnabled();
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  await expect(page.getByRole('button', { name: 'Try again with portrait.png' })).toBeVisible();
  await expect(createButton(page)).toBeDisabled();
  await expect(page.getByText('Try the file again, or clear it.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear portrait.png' }).click();
  await expect(createButton(page)).toBeEnabled();
});

test('a failed upload of a further reference stays visible when the first reference is removed', async ({
  someone: { page },
}) => {
  await openCreate(page, '/create/mango');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  const remove = page.getByRole('button', { name: 'Remove reference image' });
  await expect(remove).toBeVisible();
  await page.route('**/media/upload/**', route => route.abort());
  await chooseFiles(page.getByLabel('More reference images: choose a file'), await pictureFile('more.png'));
  const clear = page.getByRole('button', { name: 'Clear more.png' });
  await expect(clear).toBeVisible();
  await remove.click();
  await expect(clear).toBeVisible();
});
