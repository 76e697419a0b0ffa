import type { Page } from '@playwright/test';
import { comeBackUntil, expectAccessible, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { MORE_IMAGES } from '#lib/contract/cast-limits';
import { chooseFiles, pictureAddress, pictureFile, soundFile } from './device-files.ts';
import { hold } from './network.ts';
import { expect, freshName, make, test, untilItListens } from './someone.ts';

const phone = { width: 390, height: 844 };

test('a character gets a portrait from a file and a recorded voice, and is published, unpublished and deleted', async ({
  someone: { page, call },
}) => {
  const name = freshName();
  const handle = name.toLowerCase();
  await page.goto('/characters');
  await expect(page.getByRole('heading', { name: 'No characters yet' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'New character' }).click();
  const form = page.getByRole('dialog', { name: 'New character' });
  await form.getByRole('button', { name: 'Save character' }).click();
  await expect(form.getByText('Add a portrait.')).toBeVisible();
  await expect(form.getByLabel('Portrait: choose a file')).toBeFocused();
  await form.getByLabel('Name').fill(name);
  await expect(form.getByLabel('Handle')).toHaveValue(handle);
  await expect(form.getByText(`@${handle} is free.`)).toBeVisible();
  await form.getByLabel('Portrait: choose a file').setInputFiles(await pictureFile());
  await expect(form.getByRole('img', { name: 'Portrait' })).toBeVisible();

  // by keyboard: the focus moves to the button that replaces the pressed one
  await form.getByRole('button', { name: 'Record' }).press('Enter');
  await expect(form.getByRole('timer')).toHaveText(/^[1-9]\d*\.\d s$/);
  await expect(form.getByRole('button', { name: 'Stop', exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.getByRole('button', { name: 'Play voice' })).toContainText(/\d s/);
  await expect(form.getByRole('button', { name: 'Play voice' })).toBeFocused();
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
  await expect(page.getByRole('dialog')).toContainText(`Everyone on this deployment can write @${handle}`);
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Public', { exact: true })).toBeVisible();
  await act('Make private');
  await page.getByRole('dialog').getByRole('button', { name: 'Make private' }).click();
  await expect(page.getByText('Public', { exact: true })).toBeHidden();

  await act('Delete');
  await expect(page.getByRole('dialog')).toContainText(`A prompt that mentions @${handle} is refused from now on`);
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(page.getByRole('heading', { name: 'No characters yet' })).toBeVisible();
  expect((await (await call('GET', '/v1/characters')).json()).data).toEqual([]);
});

test('the microphone is released when the user leaves during the permission prompt or recording fails', async ({
  someone: { page },
}) => {
  await page.addInitScript(() => {
    const { mediaDevices } = navigator;
    const ask = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = async wanted => {
      await new Promise(allowed => addEventListener('allowed', allowed, { once: true }));
      const stream = await ask(wanted);
      // dispatched later, so that the page gets the stream first
      setTimeout(() => dispatchEvent(new CustomEvent('heard', { detail: stream })));
      return stream;
    };
  });
  await page.goto('/characters?new');
  await page.getByRole('button', { name: 'Record' }).click();
  await expect(page.getByText('Allow the microphone in the browser')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  const heard = () =>
    page.evaluate(
      () =>
        new Promise(done => {
          addEventListener('heard', event =>
            done((event as CustomEvent<MediaStream>).detail.getTracks().map(track => track.readyState)),
          );
          dispatchEvent(new Event('allowed'));
        }),
    );
  expect(await heard()).toEqual(['ended']);
  // the microphone is released as well when recording fails
  await page.evaluate(() => {
    window.MediaRecorder.prototype.start = () => {
      throw new DOMException('no codec', 'NotSupportedError');
    };
  });
  await page.getByRole('button', { name: 'New character' }).first().click();
  await page.getByRole('button', { name: 'Record' }).click();
  await expect(page.getByText('Allow the microphone in the browser')).toBeVisible();
  expect(await heard()).toEqual(['ended']);
  await expect(page.getByText('This browser cannot record here.')).toBeVisible();
});

test('a character can get another portrait and name, and its page shows the results made with it', async ({
  page,
  context,
  idle,
}) => {
  const { call } = await signUp(context, idle);
  const faults = watchFaults(page);
  const name = freshName();
  const handle = name.toLowerCase();
  const image = await pictureAddress();
  const saved = await (await call('POST', '/v1/characters', { name, handle, image })).json();
  idle.startWorker();
  await make({ call }, 'mango', { prompt: `@${handle} at sea`, resolution: '1K' });
  await idle.stopStarted();
  const running = await (await call('POST', '/v1/melon/generate', { prompt: `@${handle} sails` })).json();

  await page.goto(`${idle.baseURL}/characters`);
  await page.getByRole('link', { name: `Portrait of ${name}` }).click();
  await expect(page.getByRole('heading', { name: `Made with @${handle}` })).toBeVisible();
  await expect(page.getByRole('link', { name: `Open: @${handle} at sea` })).toBeVisible();
  const growing = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: `Open: @${handle} sails` }) });
  await expect(growing.getByRole('progressbar')).toBeVisible();
  await expectAccessible(page);
  expect((await call('POST', `/v1/requests/${running.request_id}/cancel`)).status()).toBe(200);
  await page.getByRole('button', { name: 'Add images' }).click();
  const form = page.getByRole('dialog', { name: `Change ${name}` });
  await expect(form.getByText(`Prompts still say @${handle}.`)).toBeVisible();
  await form.getByLabel('Image: choose a file').setInputFiles(await pictureFile('side.png'));
  await form.getByRole('button', { name: 'Make image 2 the portrait' }).click();
  await form.getByLabel('Name').fill(`${name} Ray`);
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save changes' }).click();

  await expect(page.getByRole('heading', { name: `${name} Ray` })).toBeVisible();
  await expect(page).toHaveTitle(`${name} Ray · Pomona`);
  await expect(page.getByRole('list', { name: `Images of ${name} Ray` }).getByRole('img')).toHaveCount(2);
  await expectAccessible(page);
  const after = await (await call('GET', `/v1/characters/${saved.id}`)).json();
  expect(after).toMatchObject({ name: `${name} Ray`, handle, additional_image_urls: [saved.image_url] });

  await page.getByRole('button', { name: `Use Image 2 of ${name} Ray in…` }).click();
  await expect(page.getByRole('dialog')).toContainText('Use');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `More for ${name} Ray` }).click();
  // the button beside the menu does that
  await expect(page.getByRole('menuitem', { name: 'Change' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: `Delete ${name} Ray` }).click();
  await expect(page).toHaveURL(`${idle.baseURL}/characters`);
  expect(faults).toEqual([]);
});

test('a free handle is suggested for a taken one, and errors from the server appear at their fields', async ({
  someone: { page, call },
}) => {
  const name = freshName();
  const handle = name.toLowerCase();
  const image = await pictureAddress();
  const save = (data: object) => call('POST', '/v1/characters', { name, image, ...data });
  expect((await save({ handle })).status()).toBe(201);
  await page.goto('/characters?new');
  // a failed check of the handle is reported
  const error = { code: 'rate_limited', message: 'Try again in a moment.' };
  await page.route('**/api/handles/*', route => route.fulfill({ status: 429, json: { error } }), { times: 1 });
  await page.getByLabel('Name').fill('Nobody');
  await expect(page.getByText('It was not possible to check whether it is free.')).toBeVisible();
  await page.getByLabel('Name').fill(name);
  await expect(page.getByLabel('Handle')).toHaveValue(`${handle}-2`);
  await expect(page.getByText(`@${handle}-2 is free.`)).toBeVisible();
  await page.getByLabel('Handle').fill(handle);
  await page.getByRole('button', { name: `Use @${handle}-2` }).click();
  await expect(page.getByLabel('Handle')).toHaveValue(`${handle}-2`);
  // it may be emptied to type another one, and is derived again if left empty
  await page.getByLabel('Handle').fill('');
  await expect(page.getByText('Made from the name if left empty.')).toBeVisible();
  await expect(page.getByLabel('Handle')).toHaveValue('');
  await page.getByLabel('Handle').press('Tab');
  await expect(page.getByLabel('Handle')).toHaveValue(`${handle}-2`);

  // another user takes the handle first
  await page.getByLabel('Portrait: choose a file').setInputFiles(await pictureFile());
  await expect(page.getByRole('img', { name: 'Portrait' })).toBeVisible();
  expect((await save({ handle: `${handle}-2` })).status()).toBe(201);
  await page.getByRole('button', { name: 'Save character' }).click();
  await expect(page.getByRole('alert')).toContainText(`The handle ${handle}-2 is taken`);
  // the error is shown at its field, without the API name of the field
  const issues = [{ path: '/handle', message: 'handle must be another one.' }];
  await page.route('**/v1/characters', route =>
    route.fulfill({ status: 400, json: { error: { code: 'invalid_request', message: 'No.', issues } } }),
  );
  await page.getByRole('button', { name: 'Save character' }).click();
  await expect(page.getByText('Must be another one.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Handle')).toBeFocused();

  // when a chosen file was refused, the focus moves to it
  const small = [{ path: '/image', message: 'image must be larger.' }];
  await page.route('**/v1/characters', route =>
    route.fulfill({ status: 400, json: { error: { code: 'invalid_request', message: 'No.', issues: small } } }),
  );
  await page.getByRole('button', { name: 'Save character' }).click();
  await expect(page.getByText('Must be larger.', { exact: true })).toBeVisible();
  await expect(page.getByRole('group', { name: 'Portrait' })).toBeFocused();
});

test('on a phone, an image and an audio reference are created in their sections, changed and deleted', async ({
  someone: { page },
}) => {
  await page.setViewportSize(phone);
  const [place, sound] = [freshName(), freshName()];
  await page.goto('/references');
  await expect(page.getByRole('heading', { name: 'No references yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New reference' }).click();
  await page.getByLabel('Name').fill(place);
  await page.getByLabel('Image: choose a file').setInputFiles(await pictureFile());
  await expect(page.getByRole('img', { name: 'Image' })).toBeVisible();
  // the image is kept when the user looks at the kind Audio
  await page.getByRole('radio', { name: 'Audio' }).check();
  await expect(page.getByRole('img', { name: 'Image' })).toBeHidden();
  await page.getByRole('radio', { name: 'Location' }).check();
  await expect(page.getByRole('img', { name: 'Image' })).toBeVisible();
  const giveList = await hold(page, '**/v1/references?*');
  await page.getByRole('button', { name: 'Save reference' }).click();
  // the list is shown before it is requested again, so that the focus finds the button that moved
  await expect(page.getByRole('region', { name: 'Locations' }).getByRole('img', { name: place })).toBeVisible();
  await expect(page.getByRole('button', { name: 'New reference' })).toBeFocused();
  giveList();

  await page.getByRole('button', { name: 'New reference' }).click();
  await page.getByRole('radio', { name: 'Audio' }).check();
  await page.getByLabel('Name').fill(sound);
  await page.getByRole('button', { name: 'Save reference' }).click();
  await expect(page.getByText('Record audio, or choose a file.')).toBeVisible();
  await page.getByLabel('Choose a file').setInputFiles(soundFile());
  await expect(page.getByRole('button', { name: 'Play audio' })).toBeVisible();
  await expectAccessible(page);
  // an error about the audio is shown at its field
  const issues = [{ path: '/audio', message: 'This file has no sound in it.' }];
  await page.route(
    '**/v1/references',
    route => route.fulfill({ status: 400, json: { error: { code: 'invalid_media', message: 'No.', issues } } }),
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Save reference' }).click();
  await expect(page.getByText('This file has no sound in it.')).toBeVisible();
  await expect(page.getByRole('group', { name: /^Audio/ })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save reference' }).click();
  await expect(page.getByRole('region', { name: 'Audio' }).getByRole('heading', { name: sound })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: `More for ${place}` }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  await page.getByRole('dialog').getByLabel('Notes').fill('at low tide');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('at low tide')).toBeVisible();

  await page.getByRole('radio', { name: 'Audio 1' }).check();
  await expect(page.getByRole('region', { name: 'Locations' })).toBeHidden();
  await page.getByRole('button', { name: `More for ${sound}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: `Delete ${sound}` }).click();
  await expect(page.getByRole('heading', { name: sound })).toBeHidden();
  await expect(page.getByRole('img', { name: place })).toBeVisible();
});

test('a list that fails to load reports the error, and loads when retried', async ({ someone: { page, call } }) => {
  const name = freshName();
  const image = await pictureAddress();
  expect((await call('POST', '/v1/characters', { name, handle: name.toLowerCase(), image })).status()).toBe(201);
  await page.route('**/v1/characters?*', route =>
    route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'Gone for now.' } } }),
  );
  await page.goto('/characters');
  await expect(page.getByText('Gone for now.')).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/v1/characters?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name })).toBeVisible();
});

test('all characters are listed when the API returns them in several pages', async ({ someone: { page, call } }) => {
  const image = await pictureAddress();
  const names = [freshName(), freshName()];
  for (const name of names)
    expect((await call('POST', '/v1/characters', { name, handle: name.toLowerCase(), image })).status()).toBe(201);
  // pages of one entry, to test paging
  await page.route('**/v1/characters?limit=200*', route =>
    route.continue({ url: route.request().url().replace('limit=200', 'limit=1') }),
  );
  await page.goto('/characters');
  for (const name of names) await expect(page.getByRole('heading', { name })).toBeVisible();
});

test('part of a long audio file can be cut while offline and uploaded after reconnecting', async ({
  someone: { page, context },
}) => {
  const quiet = page.waitForResponse('**/api/account/notices');
  await page.goto('/characters?new');
  // the code of the field is loaded, and the page is idle
  const file = page.getByLabel('Choose a file', { exact: true });
  await expect(file).toBeAttached();
  await quiet;
  await context.setOffline(true);
  await chooseFiles(file, soundFile('long.wav', 12));
  // all bars of a steady tone are equally high
  const bars = page.getByRole('dialog').locator('svg[preserveAspectRatio=none] rect');
  await expect.poll(() => bars.first().evaluate(bar => bar.getBoundingClientRect().height)).toBeGreaterThan(30);
  // saved now, the character would have no voice
  await expect(page.getByRole('button', { name: 'Finish the clip first' })).toBeDisabled();
  await page.getByRole('button', { name: 'Keep this part' }).click();
  await expect(page.getByRole('button', { name: 'Try again with long.wav' })).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again with long.wav' }).click();
  await expect(page.getByRole('button', { name: 'Play voice' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save character' })).toBeEnabled();
});

/** Collects the file names of the uploads that the page begins. */
function watchUploads(page: Page): string[] {
  const names: string[] = [];
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/uploads'))
      names.push(request.postDataJSON().file_name);
  });
  return names;
}

/** Holds back the next sound that the page decodes; the returned function lets it go on until it is decoded. */
async function holdDecoding(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { decodeAudioData } = OfflineAudioContext.prototype;
    OfflineAudioContext.prototype.decodeAudioData = async function (sound: ArrayBuffer) {
      OfflineAudioContext.prototype.decodeAudioData = decodeAudioData;
      await new Promise(goOn => addEventListener('go-on', goOn, { once: true }));
      const decoded = await decodeAudioData.call(this, sound);
      // dispatched later, so that the page gets the sound first
      setTimeout(() => dispatchEvent(new Event('decoded')));
      return decoded;
    };
  });
  return () =>
    page.evaluate(
      () =>
        new Promise<void>(done => {
          addEventListener('decoded', () => done(), { once: true });
          dispatchEvent(new Event('go-on'));
        }),
    );
}

test('a sound that is discarded while its part is cut is not uploaded', async ({ someone: { page } }) => {
  await page.goto('/characters?new');
  const file = page.getByLabel('Choose a file', { exact: true });
  await chooseFiles(file, soundFile('long.wav', 12));
  // the whole sound is decoded for its bars
  await expect(page.getByRole('dialog').locator('svg[preserveAspectRatio=none] rect').first()).toBeAttached();
  const goOn = await holdDecoding(page);
  await page.getByRole('button', { name: 'Keep this part' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(file).toBeAttached();
  const sent = watchUploads(page);
  await goOn();
  await file.setInputFiles(soundFile());
  await expect(page.getByRole('button', { name: 'Play voice' })).toBeVisible();
  expect(sent).toEqual(['bell.wav']);
});

test('a sound that is still decoded when its form is closed is not uploaded', async ({ someone: { page } }) => {
  await page.goto('/characters?new');
  const file = page.getByLabel('Choose a file', { exact: true });
  await expect(file).toBeAttached();
  const goOn = await holdDecoding(page);
  await chooseFiles(file, soundFile());
  await expect(page.getByText('Reading the sound')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  const sent = watchUploads(page);
  await goOn();
  await page.getByRole('button', { name: 'New character' }).first().click();
  await chooseFiles(file, soundFile('horn.wav'));
  await expect(page.getByRole('button', { name: 'Play voice' })).toBeVisible();
  expect(sent).toEqual(['horn.wav']);
});

test('saving a character or a reference changes only edited fields and keeps changes made elsewhere', async ({
  someone: { page, call },
}) => {
  const [name, place] = [freshName(), freshName()];
  const image = await pictureAddress();
  const saved = await (await call('POST', '/v1/characters', { name, handle: name.toLowerCase(), image })).json();
  const harbour = await (
    await call('POST', '/v1/references', { name: place, handle: place.toLowerCase(), kind: 'location', image })
  ).json();
  await page.goto(`/characters/${saved.id}`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const form = page.getByRole('dialog');
  await expect(form.getByLabel('Notes')).toHaveValue('');
  const voice = `data:audio/wav;base64,${soundFile().buffer.toString('base64')}`;
  const meanwhile = await call('PATCH', `/v1/characters/${saved.id}`, { voice, additional_images: [image] });
  expect(meanwhile.status(), await meanwhile.text()).toBe(200);
  await form.getByLabel('Notes').fill('keeps bees');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(form).toBeHidden();
  const after = await (await call('GET', `/v1/characters/${saved.id}`)).json();
  expect(after).toMatchObject({ description: 'keeps bees', voice_url: expect.stringMatching(/mp3$/) });
  expect(after.additional_image_urls).toHaveLength(1);

  await page.goto('/references');
  await page.getByRole('button', { name: `More for ${place}` }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  await expect(form.getByLabel('Notes')).toHaveValue('');
  await call('PATCH', `/v1/references/${harbour.id}`, { name: 'Old harbour' });
  await form.getByLabel('Notes').fill('at low tide');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(form).toBeHidden();
  expect(await (await call('GET', `/v1/references/${harbour.id}`)).json()).toMatchObject({
    name: 'Old harbour',
    description: 'at low tide',
  });
});

test('a character cannot be saved while its voice is loading or after the voice failed to upload', async ({
  someone,
}) => {
  const { page } = someone;
  const { result } = await make(someone, 'seed_audio', { prompt: 'a bell' });
  await page.goto('/characters?new');
  const form = page.getByRole('dialog', { name: 'New character' });
  const save = form.getByRole('button', { name: 'Save character' });
  await expect(save).toBeEnabled();
  const goOn = await hold(page, `**${new URL(result!.url).pathname}`);
  await form.getByRole('button', { name: 'From the studio' }).click();
  const studio = page.getByRole('dialog', { name: 'Voice' });
  // characters and references offer only images here
  await expect(studio.getByRole('tab')).toHaveText(['Made here', 'Uploads', 'Address']);
  await studio.getByRole('button', { name: 'a bell' }).click();
  await expect(form.getByText('Reading the sound')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Finish the clip first' })).toBeDisabled();
  // a discarded clip is not added when its file arrives
  await form.getByRole('button', { name: 'Discard' }).click();
  await expect(save).toBeEnabled();
  await form.getByRole('button', { name: 'From the studio' }).click();
  await studio.getByRole('button', { name: 'a bell' }).click();
  goOn();
  await expect(form.getByRole('button', { name: 'Play voice' })).toBeVisible();
  await expect(save).toBeEnabled();
  await form.getByRole('button', { name: 'Remove voice' }).click();

  await page.route('**/media/upload/**', route => route.abort());
  await chooseFiles(form.getByLabel('Choose a file', { exact: true }), soundFile());
  await expect(form.getByRole('button', { name: 'Try again with bell.wav' })).toBeVisible();
  await expect(form.getByRole('button', { name: 'Try the file again, or clear it' })).toBeDisabled();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Clear bell.wav' }).click();
  await expect(save).toBeEnabled();
});

test('a deletion in progress cannot be declined any more, and its failure is reported', async ({
  someone: { page, call },
}) => {
  const name = freshName();
  const image = await pictureAddress();
  const saved = await (await call('POST', '/v1/characters', { name, handle: name.toLowerCase(), image })).json();
  await page.goto('/characters');
  await page.getByRole('button', { name: `More for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/v1/characters/${saved.id}`, async route => {
    await promise;
    await route.fulfill({ status: 500, json: { error: { code: 'internal_error', message: 'Out of order.' } } });
  });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(dialog.getByRole('button', { name: 'Keep' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  resolve();
  await expect(page.getByText(`“Delete ${name}” was not confirmed.`, { exact: true })).toBeVisible();
  await expect(page.getByText('Out of order.', { exact: true })).toBeVisible();
});

test('a deleted character no longer appears after going back or in another open tab', async ({
  someone: { page, context, call },
}) => {
  const name = freshName();
  const image = await pictureAddress();
  const saved = await (await call('POST', '/v1/characters', { name, handle: name.toLowerCase(), image })).json();
  await page.goto('/characters');
  await page.getByRole('link', { name: `Portrait of ${name}` }).click();
  const heading = page.getByRole('heading', { name, exact: true });
  await expect(heading).toBeVisible();
  const other = await context.newPage();
  await other.goto(`/characters/${saved.id}`);
  await expect(other.getByRole('heading', { name, exact: true })).toBeVisible();

  await page.getByRole('button', { name: `More for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(page.getByRole('heading', { name: 'No characters yet' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'No characters yet' })).toBeVisible();
  await expect(heading).toBeHidden();

  const gone = other.getByRole('heading', { name: 'Page not found' });
  await comeBackUntil(other, options => expect(gone).toBeVisible(options));
  await expect(other.getByRole('heading', { name, exact: true })).toBeHidden();
  await expectAccessible(other);
});

test('images pasted in quick succession are all added, up to the limit', async ({ someone: { page, call } }) => {
  const name = freshName();
  const image = await pictureAddress();
  await call('POST', '/v1/characters', { name, handle: name.toLowerCase(), image });
  await page.goto('/characters');
  await page.getByRole('button', { name: `More for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const form = page.getByRole('dialog', { name: `Change ${name}` });
  await untilItListens(form.getByLabel('Name'));
  const { buffer } = await pictureFile();
  const paste = (count: number) =>
    form.getByLabel('Name').evaluate(
      (field, [base64, count]) => {
        const clipboardData = new DataTransfer();
        const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
        for (let at = 0; at < count; at++)
          clipboardData.items.add(new File([bytes], `${at}.png`, { type: 'image/png' }));
        field.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }));
      },
      [buffer.toString('base64'), count] as const,
    );
  const goOn = await hold(page, '**/media/upload/**');
  await paste(1);
  await paste(2);
  const stops = form.getByRole('button', { name: /^Stop/ });
  await expect(stops).toHaveCount(3);
  await paste(20);
  await expect(stops).toHaveCount(MORE_IMAGES);
  await expect(page.getByText(`There is room for ${MORE_IMAGES - 3} of these 20.`, { exact: true })).toBeVisible();
  goOn();
  await expect(form.getByRole('button', { name: /^Make image \d+ the portrait$/ })).toHaveCount(MORE_IMAGES);
  await expect(form.getByRole('button', { name: 'Save changes' })).toBeEnabled();
});

test('a changed form is not discarded without confirmation, and leaving it aborts its upload', async ({
  someone: { page },
}) => {
  await page.goto('/characters');
  const open = page.getByRole('button', { name: 'New character' });
  const form = page.getByRole('dialog', { name: 'New character' });
  const name = form.getByLabel('Name');
  await open.click();
  // an untouched form closes without a question
  await expect(name).toBeFocused();
  // retried: the dialog handles clicks outside only a moment after it opens
  await expect(async () => {
    await page.mouse.click(5, 5);
    await expect(form).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await open.click();
  await name.fill('Ana');
  await expect(form.getByLabel('Handle')).toHaveValue('ana');
  await name.fill('');
  await expect(form.getByLabel('Handle')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();

  await open.click();
  await form.getByLabel('Handle').fill('ana');
  await page.mouse.click(5, 5);
  await name.fill('Ana');
  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expect(question).toBeVisible();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(question).toBeHidden();
  await expect(name).toHaveValue('Ana');
  await name.press('Escape');
  // Escape opens the question, and pressed again keeps editing
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(name).toHaveValue('Ana');
  await expect(name).toBeFocused();
  await hold(page, '**/media/upload/**');
  const sent = page.waitForRequest('**/media/upload/**');
  await chooseFiles(form.getByLabel('Portrait: choose a file'), await pictureFile('ana.png'));
  await sent;
  const stopped = page.waitForEvent('requestfailed');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  // leaving aborts the upload
  expect((await stopped).url()).toContain('/media/upload/');
  await expect(question).toBeHidden();
  await expect(form).toBeHidden();
  await expect(open).toBeFocused();

  // a dialog does not stay open over the previous page
  await page.goto('/collections');
  await page.getByRole('button', { name: 'New collection' }).first().click();
  const collection = page.getByRole('dialog', { name: 'New collection' });
  await collection.getByLabel('Notes').fill('Of this autumn');
  await page.mouse.click(5, 5);
  await expect(collection.getByLabel('Notes')).toHaveValue('Of this autumn');
  await page.goBack();
  await expect(collection).toBeHidden();
});
