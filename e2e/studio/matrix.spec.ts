import { readFile } from 'node:fs/promises';
import type { Locator, Page, Route } from '@playwright/test';
import sharp from 'sharp';
import type { Matrix } from '#components/matrix/matrices';
import { expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { openCreate, promptField } from './create-page.ts';
import { chooseFiles, pictureFile } from './device-files.ts';
import { hold, holdAnswer } from './network.ts';
import { expect, requestsOf, test, untilItListens } from './someone.ts';
import { viewer } from './viewer.ts';

/** Opens the matrix builder and writes a prompt with four combinations. */
async function writeFour(page: Page, baseURL = '') {
  await page.goto(`${baseURL}/matrix?model=z_image`);
  await promptField(page).fill('a {red|blue} fig in {sun|rain}');
}

test('a matrix is priced, created, labelled, compared, saved as a contact sheet and continued from a cell', async ({
  someone,
}) => {
  const { page } = someone;
  await page.goto('/create/z_image');
  await promptField(page).fill('a {red|blue} fig');
  await page.getByRole('button', { name: 'Matrix' }).click();
  const create = page.getByRole('button', { name: /^Create/ });
  await expect(create).toHaveText(/Create 6.*60/);
  await page.getByRole('checkbox', { name: 'blue' }).uncheck();
  await expect(create).toHaveText(/Create 3.*30/);
  await page.getByRole('checkbox', { name: 'blue' }).check();
  await page.getByRole('combobox', { name: 'Down' }).selectOption({ label: 'Aspect ratio' });
  for (const name of ['21:9', '16:9']) await page.getByRole('checkbox', { name, exact: true }).uncheck();
  await page.getByRole('checkbox', { name: '1:1', exact: true }).check();
  await expect(create).toHaveText(/Create 4.*40/);
  await expectAccessible(page);
  await create.dblclick();
  await expect(page.getByRole('columnheader')).toHaveText(['red', 'blue']);
  await expect(page.getByRole('main')).toBeFocused();

  await expect(page.getByText('4 of 4')).toBeVisible({ timeout: 30_000 });
  expect(await requestsOf(someone)).toHaveLength(4);
  // the title is not cut off below its baseline
  const title = page.getByRole('heading', { level: 1 });
  expect(await title.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  await expect(page.getByRole('columnheader')).toHaveText(['red', 'blue']);
  await expect(page.getByRole('rowheader')).toHaveText(['4:5', '1:1']);
  for (const shape of ['4:5', '1:1']) {
    const row = page.getByRole('row', { name: shape });
    for (const [index, name] of ['a red fig', 'a blue fig'].entries())
      await expect(row.getByRole('article').nth(index)).toHaveAccessibleName(name);
    await expect(row.getByRole('checkbox', { name: `blue, ${shape}` })).toBeVisible();
  }
  await page.reload();
  await expect(page.getByText('4 of 4')).toBeVisible();
  await expectAccessible(page);

  const saveSheet = async () => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Contact sheet' }).click();
    return readFile(await (await saved).path());
  };
  const whole = await saveSheet();
  const sheet = await sharp(whole).metadata();
  expect([sheet.format, sheet.width > 1000, sheet.height > 1000]).toEqual(['png', true, true]);
  // one image is deleted (404), then the server fails once (503)
  const answerOne = (status: number) => page.route('**/media/**', route => route.fulfill({ status }), { times: 1 });
  await answerOne(404);
  expect((await saveSheet()).equals(whole)).toBe(false);
  await answerOne(503);
  await page.getByRole('button', { name: 'Contact sheet' }).click();
  await expect(page.getByText('The contact sheet was not made.', { exact: true })).toBeVisible();

  // a variation takes no cell of the matrix; notices tell of its start and its end
  const red = page.getByRole('article', { name: 'a red fig' }).first();
  await red.hover();
  await red.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Vary' }).click();
  await expect(page.getByText('Started', { exact: true })).toBeVisible();
  await expect(page.getByText('Ready', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('4 of 4')).toBeVisible();

  // compared results keep the order of the matrix
  for (const name of ['blue, 1:1', 'red, 1:1']) await page.getByLabel(`Select: ${name}`).check();
  await page.getByRole('button', { name: 'Compare' }).click();
  const compared = page.getByRole('dialog', { name: 'Compare' }).getByRole('img');
  await expect(compared).toHaveCount(2);
  await expect(compared.first()).toHaveAccessibleName('a red fig');
  await page.keyboard.press('Escape');
  await page.getByLabel('Select: red, 1:1').uncheck();
  await page.getByRole('link', { name: 'Continue from this cell' }).click();
  await expect(promptField(page)).toHaveValue('a blue fig');
  await expect(page.getByRole('radio', { name: '1:1' })).toBeChecked();
});

test('a matrix opened during an upload waits for the upload and uses its file', async ({ someone: { page } }) => {
  await openCreate(page, '/create/mango');
  await promptField(page).fill('a {red|blue} fig');
  const goOn = await hold(page, '**/media/upload/**');
  await chooseFiles(page.getByLabel('Reference image: choose a file'), await pictureFile());
  await page.getByRole('button', { name: 'Matrix' }).click();
  await expect(page.getByRole('heading', { name: 'Matrix' })).toBeVisible();
  const create = page.getByRole('button', { name: /^Create \d/ });
  await expect(page.getByText('Wait until the upload is done.')).toBeVisible();
  await expect(create).toBeDisabled();
  goOn();
  await expect(create).toBeEnabled();
  const sent = page.waitForRequest('**/generate');
  await create.click();
  expect((await sent).postDataJSON()).toMatchObject({ image: expect.stringContaining('/media/') });
});

test('matrix requests beyond the in-flight limit wait for room, also across a reload', async ({
  page,
  context,
  idle,
}) => {
  const { id } = await signUp(context, idle);
  await idle.pool.query('update accounts set in_flight_limit = 4 where id = $1', [id]);
  await page.goto(`${idle.baseURL}/matrix?model=z_image`);
  await promptField(page).fill('a {red|blue|green} fig in {sun|rain}');
  await page.getByRole('button', { name: /^Create 6/ }).click();
  const waiting = page.getByRole('button', { name: 'Stop 2 waiting' });
  await expect(waiting).toBeVisible();
  await page.reload();
  await expect(waiting).toBeVisible();
  const live = async () => {
    const { rows } = await idle.pool.query('select prompt, seed from requests where account_id = $1', [id]);
    return {
      all: rows.length,
      prompts: new Set(rows.map(({ prompt }) => prompt)).size,
      seeds: new Set(rows.map(({ seed }) => seed)).size,
    };
  };
  expect(await live()).toEqual({ all: 4, prompts: 4, seeds: 1 });
  await idle.pool.query(`update requests set status = 'cancelled', finished_at = now() where account_id = $1`, [id]);
  await expect.poll(live).toEqual({ all: 6, prompts: 6, seeds: 1 });
  await expect(waiting).toBeHidden();
});

test('matrix requests accepted while another page is open are stored in their cells in localStorage', async ({
  page,
  context,
  idle,
}) => {
  const { id } = await signUp(context, idle);
  await idle.pool.query('update accounts set in_flight_limit = 1 where id = $1', [id]);
  await writeFour(page, idle.baseURL);
  await page.getByRole('button', { name: /^Create 4/ }).click();
  await expect(page.getByRole('button', { name: 'Stop 3 waiting' })).toBeVisible();
  await page.getByRole('link', { name: 'History', exact: true }).first().click();
  await expect(page).toHaveURL(/history/);
  const places = () =>
    page.evaluate(() => (JSON.parse(localStorage.getItem('pomona.matrices') ?? '[]') as Matrix[])[0]?.requests);
  await expect(async () => {
    await idle.pool.query(`update requests set status = 'cancelled', finished_at = now() where account_id = $1`, [id]);
    expect(await places()).toEqual(Array.from({ length: 4 }, () => expect.any(String)));
  }).toPass();
});

test('a matrix that costs more than the balance offers fewer cells or a cheaper setting', async ({
  someone: { page },
}) => {
  const create = page.getByRole('button', { name: /^Create \d/ });
  await page.goto('/matrix?model=blueberry');
  await promptField(page).fill('a fig falls');
  await expect(page.getByText(/^This costs [\d,]+ gems, and you have 1,000\.$/)).toBeVisible();
  await expect(page.getByText('Ask the operator for more gems.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Make 2 for 648 gems' }).click();
  await expect(create).toHaveText(/Create 2.*648/);
  await expect(create).toBeEnabled();
  await expect(page.getByText('Ask the operator for more gems.')).toBeHidden();

  // the gems do not suffice for two, because of a setting that is not an axis of the matrix
  await openCreate(page, '/create/kiwi');
  await page.getByRole('radio', { name: /^1080p/ }).check();
  await promptField(page).fill('a {red|blue} fig falls');
  await page.getByRole('button', { name: 'Matrix' }).click();
  await page.getByRole('checkbox').nth(3).uncheck();
  await page.getByRole('checkbox').nth(2).uncheck();
  await expect(page.getByText('This costs 2,160 gems, and you have 1,000.')).toBeVisible();
  await page.getByRole('button', { name: 'Resolution 480p for 540 gems' }).click();
  await expect(create).toHaveText(/Create 2.*540/);
  await expect(create).toBeEnabled();
});

test('waiting requests are kept despite 120 later ones, and are sent in the order of their presses', async ({
  someone,
}) => {
  const { page } = someone;
  await openCreate(page, '/create/z_image');
  await page.evaluate(() => {
    const sent = (key: string, more: object) => {
      const body = { prompt: 'a fig' };
      return { key, group: key, architecture: 'z_image', type: 'image', body, gems: 10, aspect: 1, ...more };
    };
    const refusal = { code: 'too_many_requests', message: 'Too many.', issues: [] };
    const since = Array.from({ length: 120 }, (_, n) => sent(`since ${n}`, { refusal, createdAt: 3 }));
    // the newest press comes first; within a press, the original order is kept
    const presses = [
      ['a plum', 2],
      ['a fig', 1],
      ['a pear', 1],
    ] as const;
    const waiting = presses.map(([prompt, createdAt], n) =>
      sent(`${n}-${crypto.randomUUID()}`, { body: { prompt }, createdAt, place: `matrix/${n}` }),
    );
    sessionStorage.setItem('pomona.visit', JSON.stringify([...since, ...waiting]));
  });
  await page.reload();
  const made = async () => (await requestsOf(someone)).map(({ prompt }) => prompt);
  await expect.poll(made).toEqual(['a plum', 'a pear', 'a fig']);
});

test('a matrix is made, and refused requests of it can be retried, when browser storage is full', async ({
  someone: { page },
}) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('It is full.', 'QuotaExceededError');
    };
  });
  const error = { code: 'insufficient_gems', message: 'The balance is 0.' };
  await page.route('**/generate', route => route.fulfill({ status: 402, json: { error } }));
  await writeFour(page);
  await page.getByRole('button', { name: /^Create 4/ }).click();
  const again = page.getByRole('button', { name: /^Try 4 again/ });
  await expect(again).toBeVisible();
  // an update from another tab does not change it
  await page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'pomona.matrices' })));
  await expect(again).toBeVisible();
  await page.unroute('**/generate');
  await again.click();
  await expect(page.getByText('4 of 4')).toBeVisible({ timeout: 60_000 });
});

test('a tab keeps the matrices that another tab created meanwhile', async ({ someone: { page, context } }) => {
  const other = await context.newPage();
  const create = async (tab: Page, prompt: string) => {
    await promptField(tab).fill(prompt);
    await tab.getByRole('button', { name: /^Create 6/ }).click();
    await expect(tab.getByText('6 of 6')).toBeVisible({ timeout: 60_000 });
  };
  for (const tab of [page, other]) {
    await tab.goto('/matrix?model=z_image');
    await untilItListens(promptField(tab));
  }
  await create(page, 'a {red|blue} fig');
  await create(other, 'a {red|blue} plum');
  await page.reload();
  await expect(page.getByText('6 of 6')).toBeVisible();
  await page.getByRole('link', { name: 'Another matrix' }).click();
  const earlier = page.getByRole('region', { name: 'Earlier' });
  for (const fruit of ['fig', 'plum']) await expect(earlier).toContainText(fruit);
});

test('forgetting a matrix keeps the focus in the list, and forgetting the last moves it to the page', async ({
  someone: { page },
}) => {
  await page.goto('/matrix?model=z_image');
  await page.evaluate(() => {
    const matrices = ['a fig', 'a plum', 'a pear'].map((prompt): Matrix => {
      const side = { field: 'resolution', title: 'Resolution', values: [{ label: '1K', value: '1K' }] };
      const sides = { across: side, down: side };
      return { id: prompt, architecture: 'z_image', prompt, ...sides, createdAt: 1, aspects: [1], requests: [null] };
    });
    localStorage.setItem('pomona.matrices', JSON.stringify(matrices));
  });
  await page.reload();
  const forget = (prompt: string) => page.getByRole('button', { name: `Forget: ${prompt}` });
  await untilItListens(forget('a plum'));
  await forget('a plum').press('Enter');
  await expect(forget('a pear')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(forget('a fig')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Earlier' })).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});

test('a matrix cell is not shown as unsent while it loads, nor as deleted when loading fails', async ({
  someone: { page },
}) => {
  await writeFour(page);
  await expect(page.getByRole('button', { name: /^Create 4/ })).toBeEnabled();
  await promptField(page).press('Control+Enter');
  const places = page.getByRole('article');
  await expect(page.getByText('4 of 4')).toBeVisible({ timeout: 60_000 });
  const table = page.getByRole('table');

  const { promise: asked, resolve: answer } = Promise.withResolvers<void>();
  let status = 403;
  const refuse = async (route: Route) => {
    await asked;
    await route.fulfill({ status, json: { error: { code: 'forbidden', message: 'Not now.' } } });
  };
  await page.route('**/v1/requests/*', refuse);
  await page.reload();
  await expect(table.locator('[aria-busy=true]')).toHaveCount(4);
  await expect(table).not.toContainText(/Not sent|Deleted/);
  answer();
  await expect(table.getByText('Did not load')).toHaveCount(4);
  await expect(table).not.toContainText('Deleted');
  await expectAccessible(page);

  await page.unroute('**/v1/requests/*', refuse);
  await table.getByRole('button', { name: 'Try again' }).first().click();
  await expect(places).toHaveCount(1);
  status = 404;
  await page.route('**/v1/requests/*', refuse);
  await page.reload();
  await expect(table.getByText('Deleted')).toHaveCount(4);
});

test('a request in flight when its matrix is stopped keeps its cell once it is accepted', async ({ someone }) => {
  const { page } = someone;
  await writeFour(page);
  const answer = await holdAnswer(page, '**/v1/z_image/generate');
  await page.getByRole('button', { name: /^Create 4/ }).click();
  await expect.poll(async () => (await requestsOf(someone)).length).toBe(1);
  await page.getByRole('button', { name: 'Stop 4 waiting' }).click();
  const table = page.getByRole('table');
  const notSent = table.getByText('Not sent', { exact: true });
  await expect(notSent).toHaveCount(3);
  await expect(table).toContainText('was accepted');
  answer();
  await expect(table.getByRole('checkbox')).toHaveCount(1);
  await expect(page.getByText('1 of 4')).toBeVisible({ timeout: 30_000 });
  await expect(notSent).toHaveCount(3);
  expect(await requestsOf(someone)).toHaveLength(1);
});

test('refused and failed matrix requests are retried in one press, each in its own cell', async ({
  page,
  context,
  idle,
}) => {
  const { id } = await signUp(context, idle);
  await writeFour(page, idle.baseURL);
  const refuse = (route: Route) =>
    route.fulfill({ status: 402, json: { error: { code: 'insufficient_gems', message: 'The balance is 0.' } } });
  await page.route('**/generate', refuse);
  await page.getByRole('button', { name: /^Create 4/ }).click();
  const again = page.getByRole('button', { name: /^Try \d again/ });
  const table = page.getByRole('table');
  await expect(again).toHaveText(/Try 4 again.*40/);
  await expectAccessible(page);
  await page.unroute('**/generate', refuse);
  await again.press('Enter');
  await expect(again).toBeHidden();
  await expect(page.getByRole('toolbar', { name: 'Matrix' }).locator(':focus')).toBeVisible();
  await expect(table.getByRole('button', { name: 'Cancel' })).toHaveCount(4);

  await idle.pool.query(
    `update requests set status = 'failed', refunded = true, error_message = 'It broke.', finished_at = now() where account_id = $1`,
    [id],
  );
  await expect(page.getByText('4 of 4')).toBeVisible({ timeout: 20_000 });
  // a single retry keeps its cell as well
  await table
    .getByRole('button', { name: /^Try again/ })
    .first()
    .click();
  await expect(again).toHaveText(/Try 3 again.*30/);
  await again.dblclick();
  await expect(again).toBeHidden();
  await expect(table.getByRole('button', { name: 'Cancel' })).toHaveCount(4);
  await page.reload();
  await expect(table.getByRole('button', { name: 'Cancel' })).toHaveCount(4);
  const { rows } = await idle.pool.query(
    'select prompt, status from requests where account_id = $1 order by status, prompt',
    [id],
  );
  const prompts = ['a blue fig in rain', 'a blue fig in sun', 'a red fig in rain', 'a red fig in sun'];
  expect(rows).toEqual(['failed', 'queued'].flatMap(status => prompts.map(prompt => ({ prompt, status }))));
});

test('stopped matrix requests are sent together or one by one, from any tab, and each is made once', async ({
  page,
  context,
  idle,
}) => {
  const { id } = await signUp(context, idle);
  await idle.pool.query('update accounts set in_flight_limit = 1 where id = $1', [id]);
  await writeFour(page, idle.baseURL);
  await page.getByRole('button', { name: /^Create 4/ }).click();
  await page.getByRole('button', { name: 'Stop 3 waiting' }).dblclick();
  const all = page.getByRole('toolbar').getByRole('button', { name: /^Create/ });
  await expect(all).toHaveText(/Create 3.*30/);
  await expectAccessible(page);
  await page.reload();
  await expect(all).toHaveText(/Create 3.*30/);
  const table = page.getByRole('table');
  await table
    .getByRole('button', { name: /^Create/ })
    .first()
    .press('Enter');
  await expect(page.getByRole('button', { name: 'Stop 1 waiting' })).toBeVisible();
  await expect(all).toHaveText(/Create 2.*20/);
  const next = table.getByRole('button', { name: /^Create/ }).first();
  await expect(next).toBeFocused();
  await next.press('Enter');
  await expect(all).toHaveText(/Create 1.*10/);

  // requests waiting in one tab are unknown to another tab
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: /^Create 3/ }).dblclick();
  await expect(other.getByRole('button', { name: 'Stop 3 waiting' })).toBeVisible();
  await idle.pool.query('update accounts set in_flight_limit = 20 where id = $1', [id]);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('table').getByRole('button', { name: 'Cancel' })).toHaveCount(4);
    await expect(tab.getByRole('main').getByRole('button', { name: /^Create|waiting$/ })).toHaveCount(0);
  }
  const { rows } = await idle.pool.query('select prompt from requests where account_id = $1 order by prompt', [id]);
  const prompts = ['a blue fig in rain', 'a blue fig in sun', 'a red fig in rain', 'a red fig in sun'];
  expect(rows).toEqual(prompts.map(prompt => ({ prompt })));
});

test('a refused matrix request is retried with the same new idempotency key in every tab', async ({
  page,
  context,
  idle,
}) => {
  const { id } = await signUp(context, idle);
  const keys: (string | undefined)[] = [];
  const noteKey = (route: Route) => void keys.push(route.request().headers()['idempotency-key']);
  await writeFour(page, idle.baseURL);
  const refuse = async (route: Route) => {
    noteKey(route);
    await route.fulfill({ status: 402, json: { error: { code: 'insufficient_gems', message: 'The balance is 0.' } } });
  };
  await page.route('**/generate', refuse);
  await page.getByRole('button', { name: /^Create 4/ }).click();
  const again = page.getByRole('button', { name: /^Try 4 again/ });
  await expect(again).toBeVisible();
  await page.unroute('**/generate', refuse);

  const goOn = async (route: Route) => {
    noteKey(route);
    await route.continue();
  };
  const other = await context.newPage();
  for (const tab of [page, other]) await tab.route('**/generate', goOn);
  await other.goto(page.url());
  await other.getByRole('button', { name: /^Create 4/ }).click();
  const made = other.getByRole('table').getByRole('button', { name: 'Cancel' });
  await expect(made).toHaveCount(4);
  await again.click();
  await expect(page.getByRole('table').getByRole('button', { name: 'Cancel' })).toHaveCount(4);
  const [first, second, third] = [keys.slice(0, 4), keys.slice(4, 8), keys.slice(8)].map(some => some.toSorted());
  expect(second).toEqual(third);
  expect(new Set([...first!, ...second!]).size).toBe(8);
  const { rows } = await idle.pool.query('select count(*)::int from requests where account_id = $1', [id]);
  expect(rows).toEqual([{ count: 4 }]);
});

test('matrix requests whose price rose show the new price, and are created at that price', async ({ someone }) => {
  const { page } = someone;
  const rise = async (route: Route) => {
    const response = await route.fetch();
    const catalog = (await response.json()) as { architectures: { id: string; price: { gems: number } }[] };
    catalog.architectures.find(({ id }) => id === 'z_image')!.price.gems = 15;
    await route.fulfill({ response, json: catalog });
  };
  await page.route('**/v1/architectures', rise);
  const asked: (string | undefined)[] = [];
  await page.route('**/generate', route => {
    const most = route.request().headers()['max-gems'];
    asked.push(most);
    const error = { code: 'price_above_limit', message: 'This generation costs 15 gems.' };
    return Number(most) < 15 ? route.fulfill({ status: 409, json: { error } }) : route.continue();
  });
  await writeFour(page);
  await page.getByRole('button', { name: /^Create 4.*40/ }).click();
  const table = page.getByRole('table');
  const create = table.getByRole('button', { name: /^Create 15/ });
  await expect(create).toHaveCount(4);
  await expect(table.getByText('Costs more now')).toHaveCount(4);
  await expect(page.getByRole('button', { name: /^Create 4.*60/ })).toBeVisible();
  await expectAccessible(page);
  await create.first().click();
  await page.getByRole('button', { name: /^Create 3.*45/ }).click();
  await expect.poll(async () => (await requestsOf(someone)).length).toBe(4);
  expect(asked).toEqual(['10', '10', '10', '10', '15', '15', '15', '15']);
  await page.getByRole('link', { name: 'Create', exact: true }).first().click();
  await expect(page.getByRole('region', { name: 'Results' }).getByRole('article')).toHaveCount(4);
  await expect(page.getByText('This generation costs 15 gems.')).toHaveCount(0);
});

test('clearing the selection of a matrix keeps the focus in its toolbar', async ({ someone: { page } }) => {
  await page.goto('/matrix?model=z_image');
  await promptField(page).fill('a {red|blue} fig');
  await page.getByRole('button', { name: /^Create 6/ }).click();
  await page
    .getByRole('checkbox', { name: /^Select: red/ })
    .first()
    .check({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
  await expect(page.getByRole('toolbar', { name: 'Matrix' }).locator(':focus')).toBeVisible();
});

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the flattest image of a matrix with three columns opens by a tap', async ({ someone: { page } }) => {
    await page.goto('/matrix?model=z_image');
    await page.getByLabel('Prompt').fill('A fig');
    await page.getByRole('button', { name: /^Create \d/ }).click();
    await expect(page.getByRole('columnheader', { name: '21:9' })).toBeVisible();
    await expect(page.getByText('9 of 9')).toBeVisible({ timeout: 60_000 });
    await page.getByRole('article', { name: 'A fig' }).nth(1).getByRole('link', { name: 'Open: A fig' }).tap();
    await expect(viewer(page)).toBeVisible();
  });

  test('an error message and its Try again button fit inside a flat matrix cell', async ({ someone: { page } }) => {
    await page.goto('/matrix?model=z_image');
    await page.getByLabel('Prompt').fill('A fig');
    const message = 'This generation costs 10 gems and the balance is 0. Add gems or choose cheaper settings.';
    await page.route('**/generate', route =>
      route.fulfill({ status: 402, json: { error: { code: 'insufficient_gems', message } } }),
    );
    await page.getByRole('button', { name: /^Create \d/ }).click();
    const place = page.getByRole('article').nth(1);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await isIn(place, place.getByText(message));
      await isIn(place, place.getByRole('button', { name: 'Try again' }));
    }
  });

  test('an error in a small matrix cell is readable from its beginning, and offers a retry', async ({
    someone: { page },
  }) => {
    await page.goto('/matrix?model=z_image');
    await page.getByLabel('Prompt').fill('a {red|blue} fig');
    let message = 'Something broke here. Tell the operator the number 01a2283f-85e0-735d-b226-1707c8ff674a.';
    let status = 500;
    await page.route('**/generate', route => route.fulfill({ status, json: { error: { code: 'broken', message } } }));
    await page.getByRole('button', { name: /^Create \d/ }).click();
    const place = page.getByRole('article').first();
    const waits = place.getByText(/never charged twice/);
    await isIn(place, waits, 0.4);
    await expect(waits).toHaveText(`It is sent again by itself, and never charged twice. ${message}`);
    await expectAccessible(page);

    message = 'This costs 10 gems, and the balance is 0. Nothing was charged.';
    status = 402;
    await isIn(place, place.getByText(message));
    await isIn(place, place.getByRole('button', { name: 'Try again' }));
    await expectAccessible(page);
  });
});

/** Expects the upper `ratio` of an element to be inside another one. */
const isIn = (place: Locator, part: Locator, ratio = 1) =>
  expect(async () => {
    const [outer, inner] = [(await place.boundingBox())!, (await part.boundingBox({ timeout: 1_000 }))!];
    expect(inner.y).toBeGreaterThanOrEqual(outer.y);
    expect(inner.y + ratio * inner.height).toBeLessThanOrEqual(outer.y + outer.height);
  }).toPass({ timeout: 15_000 });
