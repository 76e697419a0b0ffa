import { expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { openCreate, promptField } from './create-page.ts';
import { hold } from './network.ts';
import { expect, makePicture, test } from './someone.ts';

// keeping results beyond their retention period, and examples that everyone sees

test('results about to expire are announced, and can be kept', async ({ someone, house }) => {
  const { page } = someone;
  for (const prompt of ['a fig', 'a plum']) {
    const { request_id } = await makePicture(someone, prompt);
    await house.pool.query(
      `with old as (update requests set id = (left(lpad(to_hex(((extract(epoch from now()) - 25 * 86400) * 1000)::bigint), 12, '0'), 12) || right(replace(id::text, '-', ''), 20))::uuid
        where id = $1 returning id)
      update media set request_id = (select id from old), expires_at = now() + interval '5 days' where request_id = $1`,
      [request_id],
    );
  }
  // with the fonts in the cache of the browser, since the first ones may arrive after the text
  await page.goto('/collections');
  await page.evaluate('document.fonts.ready');
  // the note is part of the first render and causes no layout shift when the rest loads
  await page.addInitScript(() => {
    const moves: PerformanceEntry[] = [];
    new PerformanceObserver(list => moves.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { moves });
  });
  await page.goto('/history');
  const tiles = page.locator('[data-opens]');
  const note = page.getByRole('complementary', { name: 'About to expire' });
  await expect(note).toContainText('2 results expire within a week.');
  await expect(note.locator('[inert]')).toHaveCount(0);
  expect(await page.evaluate('moves')).toEqual([]);
  await page.getByRole('button', { name: 'Select', exact: true }).click();
  await page.getByLabel('Select: a plum').click();
  const bar = page.getByRole('toolbar', { name: 'Selected results' });
  const kept = page.waitForResponse('**/keep');
  await bar.getByRole('button', { name: 'Keep', exact: true }).click();
  await kept;
  await bar.getByRole('button', { name: 'Clear the selection' }).click();
  await expect(note).toContainText('One result expires within a week.');
  // a result that was kept meanwhile is not listed as expiring
  await note.getByRole('button', { name: 'Show them' }).click();
  await expect(tiles).toHaveCount(1);
  await expect(tiles).toHaveAccessibleName(/^a fig/);
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await note.getByRole('button', { name: 'Keep all' }).click();
  await expect(note).toBeHidden();
  await page.getByRole('button', { name: 'Kept' }).click();
  await expect(tiles).toHaveCount(2);
  await tiles.first().click();
  const keep = page.getByRole('dialog', { name: 'Result' }).getByRole('button', { name: 'Keep', exact: true });
  await expect(keep).toHaveAttribute('aria-pressed', 'true');
  await keep.click();
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
});

test('a button pressed by keyboard keeps the focus while its action is pending', async ({ someone }) => {
  const { page, call } = someone;
  const { request_id } = await makePicture(someone, 'a medlar');
  expect((await call('POST', '/api/collections', { name: 'Orchard' })).status()).toBe(201);
  await page.goto(`/history?view=${request_id}`);
  const acts = page.getByRole('dialog', { name: 'Result' });
  for (const [act, title, name, address] of [
    ['Collect', 'Add to a collection', /^Orchard/, '**/api/collections/*/items'],
    ['Copy or save as…', 'Copy or save as', /^JPEG/, '**/media/**'],
  ] as const) {
    await acts.getByRole('button', { name: act }).press('Enter');
    const goOn = await hold(page, address);
    const pressed = page.getByRole('dialog', { name: title }).getByRole('button', { name });
    await pressed.press('Enter');
    await expect(pressed).toBeDisabled();
    await expect(pressed).toBeFocused();
    goOn();
    await expect(pressed).toBeHidden();
  }
});

test('an operator makes a result the example of its model, and visitors and users see it', async ({
  page,
  context,
  house,
  browser,
}) => {
  const operator = await signUp(context, house, true);
  const { request_id } = await makePicture(operator, 'a quince in the evening');
  await page.goto(`${house.baseURL}/history/${request_id}`);
  const act = page.getByRole('button', { name: 'Model example' });
  await act.click();
  await expect(act).toHaveAttribute('aria-pressed', 'true');

  const other = await browser.newContext();
  const visitor = await other.newPage();
  // visitors who are not signed in get a cached page that may be some seconds old
  await expect(async () => {
    await visitor.goto(house.baseURL);
    await expect(visitor.getByRole('img', { name: 'a quince in the evening' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await signUp(other, house);
  await openCreate(visitor, `${house.baseURL}/create/z_image`);
  await expect(visitor.getByRole('img', { name: 'a quince in the evening' })).toBeVisible();
  await expectAccessible(visitor);
  await visitor.getByRole('button', { name: 'Use this prompt' }).click();
  await expect(promptField(visitor)).toHaveValue('a quince in the evening');
  await other.close();

  await act.click();
  await expect(act).toHaveAttribute('aria-pressed', 'false');
});
