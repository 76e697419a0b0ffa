import { expectAccessible } from '../accessible.ts';
import { expect, freshName, photoFile, pictureFile, soundFile, test } from './someone.ts';

// each looks at several states of a page in both themes
test.describe.configure({ timeout: 120_000 });

const phone = { width: 390, height: 844 };

test('a character: portrait from a file, voice from the microphone, heard, published, made private, deleted', async ({
  someone: { page, call },
}) => {
  const name = freshName();
  const handle = name.toLowerCase();
  await page.goto('/characters');
  await expect(page.getByRole('heading', { name: 'Nobody is in the cast yet' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'New character' }).click();
  const form = page.getByRole('dialog', { name: 'New character' });
  await form.getByRole('button', { name: 'Save character' }).click();
  await expect(form.getByText('Add a portrait.')).toBeVisible();
  await form.getByLabel('Name').fill(name);
  await expect(form.getByLabel('Handle')).toHaveValue(handle);
  await expect(form.getByText(`@${handle} is free.`)).toBeVisible();
  await form.getByLabel('Portrait: take a file').setInputFiles(await pictureFile());
  await expect(form.getByRole('img', { name: 'Portrait' })).toBeVisible();

  await form.getByRole('button', { name: 'Record' }).click();
  await expect(form.getByRole('timer')).toHaveText(/^[1-9]\d*\.\d s$/);
  await form.getByRole('button', { name: 'Stop' }).click();
  await expect(form.getByRole('button', { name: 'Play voice' })).toContainText(/\d s/);
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save character' }).click();
  await expect(form).toBeHidden({ timeout: 20_000 });
  await expect(page).toHaveURL('/characters');

  const [saved] = (await (await call('GET', '/v1/characters')).json()).data;
  expect(saved).toMatchObject({ name, handle, visibility: 'private', voice_url: expect.stringMatching(/\.mp3$/) });
  await page.getByRole('button', { name: `Play the voice of ${name}` }).click();
  await expect(page.getByRole('button', { name: `Stop the voice of ${name}` })).toBeVisible();

  const act = async (item: string) => {
    await page.getByRole('button', { name: `More for ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await act('Publish');
  await expect(page.getByRole('dialog')).toContainText(`Everybody on this deployment can write @${handle}`);
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Public', { exact: true })).toBeVisible();
  await act('Make private');
  await page.getByRole('dialog').getByRole('button', { name: 'Make private' }).click();
  await expect(page.getByText('Public', { exact: true })).toBeHidden();

  await act('Delete');
  await expect(page.getByRole('dialog')).toContainText(`A prompt that mentions @${handle} is refused from now on`);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(page.getByRole('heading', { name: 'Nobody is in the cast yet' })).toBeVisible();
  expect((await (await call('GET', '/v1/characters')).json()).data).toEqual([]);
});

test('a character is changed: another picture becomes its portrait, and its page shows what was made with it', async ({
  someone: { page, call },
}) => {
  const name = freshName();
  const handle = name.toLowerCase();
  const image = `data:image/png;base64,${(await pictureFile()).buffer.toString('base64')}`;
  const saved = await (await call('POST', '/v1/characters', { name, handle, image })).json();
  const made = await call('POST', '/v1/mango/generate', { prompt: `@${handle} at sea`, resolution: '1K' });
  expect(made.status()).toBe(202);
  const film = { prompt: `@${handle} sails`, duration: '16' };
  const running = await (await call('POST', '/v1/melon/generate', film)).json();

  await page.goto('/characters');
  await page.getByRole('link', { name: `Portrait of ${name}` }).click();
  await expect(page.getByRole('heading', { name: `Made with @${handle}` })).toBeVisible();
  await expect(page.getByRole('link', { name: `Open: @${handle} at sea` })).toBeVisible();
  const growing = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: `Open: @${handle} sails` }) });
  await expect(growing.getByRole('progressbar')).toBeVisible();
  await expectAccessible(page);
  await call('POST', `/v1/requests/${running.request_id}/cancel`);
  await page.getByRole('button', { name: 'Add pictures' }).click();
  const form = page.getByRole('dialog', { name: `Change ${name}` });
  await expect(form.getByText(`Prompts go on saying @${handle}.`)).toBeVisible();
  await form.getByLabel('Picture: take a file').setInputFiles(await pictureFile('side.png'));
  await form.getByRole('button', { name: 'Make picture 2 the portrait' }).click();
  await form.getByLabel('Name').fill(`${name} Ray`);
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save changes' }).click();

  await expect(page.getByRole('heading', { name: `${name} Ray` })).toBeVisible();
  await expect(page.getByRole('list', { name: `Pictures of ${name} Ray` }).getByRole('img')).toHaveCount(2);
  await expectAccessible(page);
  const after = await (await call('GET', `/v1/characters/${saved.id}`)).json();
  expect(after).toMatchObject({ name: `${name} Ray`, handle, additional_image_urls: [saved.image_url] });

  await page.getByRole('button', { name: `Use Picture 2 of ${name} Ray in…` }).click();
  await expect(page.getByRole('dialog')).toContainText('Use');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `More for ${name} Ray` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: `Delete ${name} Ray` }).click();
  await expect(page).toHaveURL('/characters');
});

test('a handle that is taken: a free one like it is offered, and what the server refuses stands at its field', async ({
  someone: { page, call },
}) => {
  const name = freshName();
  const handle = name.toLowerCase();
  const image = `data:image/png;base64,${(await pictureFile()).buffer.toString('base64')}`;
  const save = (data: object) => call('POST', '/v1/characters', { name, image, ...data });
  expect((await save({ handle })).status()).toBe(201);
  await page.goto('/characters?new');
  await page.getByLabel('Name').fill(name);
  await expect(page.getByLabel('Handle')).toHaveValue(`${handle}-2`);
  await expect(page.getByText(`@${handle}-2 is free.`)).toBeVisible();
  await page.getByLabel('Handle').fill(handle);
  await page.getByRole('button', { name: `Take @${handle}-2` }).click();
  await expect(page.getByLabel('Handle')).toHaveValue(`${handle}-2`);

  // somebody else is quicker
  await page.getByLabel('Portrait: take a file').setInputFiles(await pictureFile());
  await expect(page.getByRole('img', { name: 'Portrait' })).toBeVisible();
  expect((await save({ handle: `${handle}-2` })).status()).toBe(201);
  await page.getByRole('button', { name: 'Save character' }).click();
  await expect(page.getByRole('alert')).toContainText(`The handle ${handle}-2 is taken`);
});

test('references of two kinds, a sound among them, in their sections; on a phone', async ({ someone: { page } }) => {
  await page.setViewportSize(phone);
  const [place, sound] = [freshName(), freshName()];
  await page.goto('/references');
  await expect(page.getByRole('heading', { name: 'No references yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New reference' }).click();
  await page.getByLabel('Name').fill(place);
  await page.getByLabel('Picture: take a file').setInputFiles(await pictureFile());
  await expect(page.getByRole('img', { name: 'Picture' })).toBeVisible();
  await page.getByRole('button', { name: 'Save reference' }).click();
  await expect(page.getByRole('region', { name: 'Locations' }).getByRole('img', { name: place })).toBeVisible();

  await page.getByRole('button', { name: 'New reference' }).click();
  await page.getByRole('radio', { name: 'Sound' }).check();
  await page.getByLabel('Name').fill(sound);
  await page.getByRole('button', { name: 'Save reference' }).click();
  await expect(page.getByText('Record a sound, or take a file.')).toBeVisible();
  await page.getByLabel('Take a file').setInputFiles(soundFile());
  await expect(page.getByRole('button', { name: 'Play sound' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save reference' }).click();
  await expect(page.getByRole('region', { name: 'Sounds' }).getByRole('heading', { name: sound })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: `More for ${place}` }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  await page.getByRole('dialog').getByLabel('Notes').fill('at low tide');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('at low tide')).toBeVisible();

  await page.getByRole('radio', { name: 'Sounds 1' }).check();
  await expect(page.getByRole('region', { name: 'Locations' })).toBeHidden();
  await page.getByRole('button', { name: `More for ${sound}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: `Delete ${sound}` }).click();
  await expect(page.getByRole('heading', { name: sound })).toBeHidden();
  await expect(page.getByRole('img', { name: place })).toBeVisible();
});

test('a large file is shown in its smaller forms wherever it is small, and they come by themselves', async ({
  someone: { page, call },
}) => {
  const originals: string[] = [];
  page.on('request', request => {
    if (request.method() === 'GET' && /\/media\/(upload|entity)\//.test(request.url())) originals.push(request.url());
  });
  const small = /\/media\/preview\/\w+\.webp/;
  await page.goto('/uploads');
  await page.getByLabel('Choose files').setInputFiles([await photoFile(), soundFile()]);
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await expect(rows.filter({ hasText: 'photo.jpg' }).locator('img')).toHaveAttribute('srcset', small);
  await expect(rows.filter({ hasText: 'bell.wav' }).locator('svg[preserveAspectRatio=none] rect')).toHaveCount(64);

  const { data } = await (await call('GET', '/v1/uploads')).json();
  const { url } = data.find((upload: { content_type: string }) => upload.content_type === 'image/jpeg');
  const name = freshName();
  const handle = name.toLowerCase();
  expect((await call('POST', '/v1/characters', { name, handle, image: url })).status()).toBe(201);
  const scene = { name: `${name} Quay`, kind: 'location', image: url };
  expect((await call('POST', '/v1/references', scene)).status()).toBe(201);
  await page.goto('/characters');
  const portrait = page.getByRole('img', { name: `Portrait of ${name}` });
  await expect(portrait).toHaveAttribute('srcset', small);
  await page.getByRole('link', { name: `Portrait of ${name}` }).click();
  await expect(page.getByRole('heading', { name: `Made with @${handle}` })).toBeVisible();
  await expect(portrait).toHaveAttribute('srcset', small);
  await page.goto('/references');
  await expect(page.getByRole('img', { name: scene.name })).toHaveAttribute('srcset', small);
  await page.goto('/create/mango');
  await page.getByLabel('Prompt').fill(`@${handle}`);
  await expect(page.locator('[data-mention=known] img')).toHaveAttribute('src', small);
  expect(originals).toEqual([]);
});

test('uploads: several at once, one stopped on its way, the address copied, one deleted, a text refused', async ({
  someone: { page, context, call },
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/uploads');
  await expectAccessible(page);
  const files = page.getByLabel('Choose files');
  await files.setInputFiles([await pictureFile('a.png'), soundFile()]);
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await expect(rows.filter({ hasText: 'PNG picture' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'WAV sound' })).toContainText(/(29|30) days left/);
  await expectAccessible(page);

  const [picture] = (await (await call('GET', '/v1/uploads')).json()).data.filter(
    (upload: { content_type: string }) => upload.content_type === 'image/png',
  );
  await rows
    .filter({ hasText: 'PNG picture' })
    .getByRole('button', { name: /^Copy address/ })
    .click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(picture.url);

  await page.route('**/media/upload/**', async route => {
    // a line that is so slow that nothing arrives before the test has stopped it
    if (route.request().method() !== 'PUT') await route.continue();
  });
  await files.setInputFiles(await pictureFile('slow.png'));
  await page.getByRole('button', { name: 'Stop the upload of slow.png' }).click();
  await expect(page.getByText('slow.png')).toBeHidden();

  await files.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(page.getByText('notes.txt cannot be used.', { exact: true })).toBeVisible();

  await rows
    .filter({ hasText: 'PNG picture' })
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.getByRole('button', { name: 'Delete the file' }).click();
  await expect(rows.filter({ hasText: 'PNG picture' })).toHaveCount(0);
  expect((await call('GET', new URL(picture.url).pathname)).status()).not.toBe(200);
});

test('a list that does not load says so, and loads when asked again', async ({ someone: { page } }) => {
  await page.route('**/v1/characters?*', route =>
    route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'Gone for now.' } } }),
  );
  await page.goto('/characters');
  await expect(page.getByText('Gone for now.')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/v1/characters?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Nobody is in the cast yet' })).toBeVisible();
});

test('the keyboard: a palette that finds pages, models and acts, a sheet of shortcuts, letters that lead', async ({
  someone: { page },
}) => {
  await page.goto('/characters');
  await expect(page.getByRole('heading', { name: 'Nobody is in the cast yet' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  const palette = page.getByRole('dialog', { name: 'Find' });
  await expect(palette.getByRole('option', { name: 'Mango' })).toBeAttached();
  await expectAccessible(page);
  await page.keyboard.type('new ref');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/references?new');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/references');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await expect(page).toHaveURL('/uploads');
  // letters belong to fields and dialogs
  await page.goto('/characters?new');
  await page.getByLabel('Name').focus();
  await page.keyboard.type('g u?');
  await expect(page.getByLabel('Name')).toHaveValue('g u?');
  await expect(page).toHaveURL('/characters?new');
});

test('whoever is not signed in is sent to sign in, and back', async ({ page }) => {
  await page.goto('/characters?new');
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fcharacters/);
});

test('the studio can be installed', async ({ page, request }) => {
  await page.goto('/docs');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await (await request.get(String(address))).json();
  expect(manifest).toMatchObject({ name: 'Pomona', start_url: '/create', display: 'standalone' });
  for (const { src, sizes } of manifest.icons) {
    const bytes = await (await request.get(src)).body();
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
  }
});
