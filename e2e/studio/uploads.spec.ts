import { expectAccessible } from '../page-checks.ts';
import { CELLS, chooseFiles, dropFiles, pastePicture, photoFile, pictureFile, soundFile } from './device-files.ts';
import { hold } from './network.ts';
import { expect, freshName, test } from './someone.ts';

test('small previews replace a large file wherever it is shown small, and appear without a reload', async ({
  someone: { page, call },
}) => {
  const originals: string[] = [];
  page.on('request', request => {
    if (request.method() === 'GET' && /\/media\/(upload|entity)\//.test(request.url())) originals.push(request.url());
  });
  const small = /\/media\/preview\/\w+\.webp/;
  await page.goto('/uploads');
  await chooseFiles(page.getByLabel('Choose files'), [await photoFile(), soundFile()]);
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

test('the file field of uploads is inert until the page has hydrated', async ({ someone: { page } }) => {
  const goOn = await hold(page, '**/_next/static/chunks/*.js');
  await page.goto('/uploads', { waitUntil: 'commit' });
  const files = page.getByLabel('Choose files');
  await expect(files).toBeAttached();
  await expect(files.and(page.locator('[inert] *'))).toBeAttached();
  goOn();
  await chooseFiles(files, await pictureFile('early.png'));
  await expect(page.getByRole('list', { name: 'Uploads' })).toContainText('early.png');
});

test('the empty message is hidden after the first upload, even while the list loads', async ({ someone: { page } }) => {
  await page.goto('/uploads');
  const nothing = page.getByText('No uploads yet.');
  await expect(nothing).toBeVisible();
  const release = await hold(page, '**/v1/uploads?*');
  const asked = page.waitForRequest(/\/v1\/uploads\?/);
  await chooseFiles(page.getByLabel('Choose files'), await pictureFile('first.png'));
  await asked;
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect(nothing).toBeHidden();
  release();
  await expect(page.getByRole('list', { name: 'Uploads' })).toContainText('first.png');
});

test('uploads are sent together, stopped, copied by address and deleted, and a text file is refused', async ({
  someone: { page, context, call },
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/uploads');
  await expectAccessible(page);
  const files = page.getByLabel('Choose files');
  await chooseFiles(files, [await pictureFile('a.png'), soundFile()]);
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await expect(rows.filter({ hasText: 'PNG image' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'WAV audio' })).toContainText(/(29|30) days left/);
  await expectAccessible(page);

  const [picture] = (await (await call('GET', '/v1/uploads')).json()).data.filter(
    (upload: { content_type: string }) => upload.content_type === 'image/png',
  );
  await rows
    .filter({ hasText: 'PNG image' })
    .getByRole('button', { name: /^Copy address/ })
    .click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(picture.url);

  await page.route('**/media/upload/**', async route => {
    // a connection so slow that nothing arrives before the test stops the upload
    if (route.request().method() !== 'PUT') await route.continue();
  });
  await files.setInputFiles(await pictureFile('slow.png'));
  await page.getByRole('button', { name: 'Stop the upload of slow.png' }).click();
  await expect(page.getByText('slow.png')).toBeHidden();

  await files.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(page.getByText('notes.txt cannot be used.', { exact: true })).toBeVisible();

  await rows
    .filter({ hasText: 'PNG image' })
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.getByRole('button', { name: 'Delete the file' }).click();
  await expect(rows.filter({ hasText: 'PNG image' })).toHaveCount(0);
  await expect(rows.locator(':focus'), 'keys go on where the row was').toHaveCount(1);
  expect((await call('GET', new URL(picture.url).pathname)).status()).not.toBe(200);
});

test('images pasted in a dialog, dropped beside it, or attached to pasted cells are not uploaded', async ({
  someone: { page },
}) => {
  await page.goto('/uploads');
  await chooseFiles(page.getByLabel('Choose files'), await pictureFile());
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await rows.getByRole('button', { name: /^Delete/ }).click();
  const dialog = page.getByRole('dialog');
  await pastePicture(dialog);
  await dropFiles(page, [await pictureFile()], '[data-veil]');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await pastePicture(page.locator('body'), CELLS);
  await pastePicture(page.locator('body'));
  await expect(rows.filter({ hasText: 'PNG image' })).toHaveCount(2);
  await expect(rows).toHaveCount(2);
});

test('a failed upload can be retried, but a refused file cannot', async ({ someone: { page } }) => {
  await page.goto('/uploads');
  await page.route('**/media/upload/**', route =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await chooseFiles(page.getByLabel('Choose files'), await pictureFile('late.png'));
  const again = rows.getByRole('button', { name: 'Try again with late.png' });
  await expect(rows.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await page.unrouteAll();
  await again.click();
  await expect(rows.filter({ hasText: 'PNG image' })).toContainText('late.png');
  await expect(rows).toHaveCount(1);

  await page.route('**/v1/uploads', route =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 413, json: { error: { code: 'request_too_large', message: 'It is too large.' } } })
      : route.continue(),
  );
  await chooseFiles(page.getByLabel('Choose files'), await pictureFile('large.png'));
  await expect(rows.getByRole('alert')).toHaveText('It is too large.');
  await expect(rows.getByRole('button', { name: /^Try again/ })).toHaveCount(0);
});

test('uploads stand side by side in a window of 1920 pixels, and in one column at 1440', async ({
  someone: { page },
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto('/uploads');
  await chooseFiles(page.getByLabel('Choose files'), [await pictureFile('a.png'), await pictureFile('b.png')]);
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await expect(rows.filter({ hasText: '30 days left' })).toHaveCount(2);
  const places = await rows.evaluateAll(all => all.map(row => row.getBoundingClientRect().toJSON() as DOMRect));
  expect(places[0]!.y).toBe(places[1]!.y);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect
    .poll(async () => new Set(await rows.evaluateAll(all => all.map(row => row.getBoundingClientRect().x))).size)
    .toBe(1);
});

test('uploads in progress are shown when the list fails to load, and further pages can be loaded', async ({
  someone: { page },
}) => {
  const gone = { status: 404, json: { error: { code: 'not_found', message: 'Gone for now.' } } };
  const isList = (url: URL) => url.pathname === '/v1/uploads' && url.searchParams.has('limit');
  await page.route(isList, route => route.fulfill(gone));
  await page.goto('/uploads');
  await expect(page.getByText('Gone for now.')).toBeVisible();
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  const goOn = await hold(page, '**/media/upload/**');
  await chooseFiles(page.getByLabel('Choose files'), [await pictureFile('one.png'), await pictureFile('two.png')]);
  await expect(rows).toHaveCount(2);
  goOn();
  await expect(rows).toHaveCount(0);

  await page.unroute(isList);
  await page.route(isList, route => route.continue({ url: route.request().url().replace('limit=200', 'limit=1') }));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect(rows).toHaveCount(2);
});

test('an upload in progress is still shown after leaving and returning, and its failure can be retried', async ({
  someone: { page },
}) => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/media/upload/**', async route => {
    if (route.request().method() !== 'PUT') return route.continue();
    await isReleased;
    await route.abort();
  });
  await page.goto('/uploads');
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  await chooseFiles(page.getByLabel('Choose files'), await pictureFile('slow.png'));
  await expect(rows).toHaveCount(1);
  await page.getByRole('link', { name: 'History' }).first().click();
  await expect(page.getByRole('heading', { name: 'Your history is empty' })).toBeVisible();
  await page.getByRole('link', { name: 'Uploads' }).first().click();
  await expect(rows.getByRole('button', { name: 'Stop the upload of slow.png' })).toBeVisible();
  release();
  const again = rows.getByRole('button', { name: 'Try again with slow.png' });
  await expect(again).toBeVisible();
  await page.unrouteAll();
  await again.click();
  await expect(rows.filter({ hasText: 'PNG image' })).toContainText('slow.png');
  await expect(rows).toHaveCount(1);
});

test('three files are uploaded at a time, and a file stopped before its turn is not sent', async ({
  someone: { page },
}) => {
  const sent = { POST: 0, PUT: 0 };
  page.on('request', request => {
    const method = request.method() as keyof typeof sent;
    if (method in sent && /\/upload/.test(request.url())) sent[method]++;
  });
  const goOn = await hold(page, '**/media/upload/**');
  await page.goto('/uploads');
  const rows = page.getByRole('list', { name: 'Uploads' }).getByRole('listitem');
  const files = await Promise.all(Array.from({ length: 10 }, (_, index) => pictureFile(`${index}.png`)));
  await chooseFiles(page.getByLabel('Choose files'), files);
  await expect(rows).toHaveCount(10);
  await expect.poll(() => sent.PUT).toBe(3);
  expect(sent.POST).toBe(3);
  await page.getByRole('button', { name: 'Stop the upload of 8.png' }).click();
  goOn();
  await expect(rows.filter({ hasText: 'PNG image' })).toHaveCount(9);
  expect(sent).toEqual({ POST: 9, PUT: 9 });
});
