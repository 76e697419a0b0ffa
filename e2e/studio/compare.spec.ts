import { expectAccessible } from '../page-checks.ts';
import { signUp } from '../session.ts';
import { promptField } from './create-page.ts';
import { expect, picture, test } from './history-page.ts';
import { requestsOf } from './someone.ts';
import { viewer } from './viewer.ts';

// comparing results side by side

const UNKNOWN = '019ac000-0000-7000-8000-000000000000';

test('each side of a comparison says when its file has expired or is missing', async ({ page, member, house }) => {
  const ids: string[] = [];
  for (const prompt of ['one fig', 'two figs']) ids.push((await member.customer.generate(picture(prompt))).request_id);
  const compared = page.getByRole('dialog', { name: 'Compare' });
  // one result has expired; the file of the other is missing, which the page does not know yet
  await house.pool.query(
    `update requests set result = jsonb_set(result, '{expiresAt}', '"2026-01-01T00:00:00.000Z"') where id = $1`,
    [ids[0]],
  );
  await page.route('**/media/**', route => route.fulfill({ status: 404 }));
  await page.goto(`/history?compare=${ids.join(',')}`);
  await expect(compared.getByText('Expired', { exact: true })).toHaveCount(1);
  await expect(compared.getByText('The file is gone')).toHaveCount(1);
  await expectAccessible(page);
});

test('each side of a comparison has its own actions: favourite, download, use settings', async ({ page, member }) => {
  const ids: string[] = [];
  for (const prompt of ['one fig', 'two figs']) ids.push((await member.customer.generate(picture(prompt))).request_id);
  await page.goto(`/history?compare=${ids.join(',')}`);
  const compared = page.getByRole('dialog', { name: 'Compare' });
  const side = compared.getByRole('group', { name: 'Actions of 2' });
  await expect(compared.getByRole('group', { name: 'Zoom' })).toBeVisible();
  const like = side.getByRole('button', { name: 'Favourite' });
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(
    compared.getByRole('group', { name: 'Actions of 1' }).getByRole('button', { pressed: true }),
  ).toHaveCount(0);
  await expect(side.getByRole('link', { name: 'Download' })).toHaveAttribute('download', 'two-figs.png');
  await expectAccessible(page);
  // on a phone, the actions are in a menu
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(like).toBeHidden();
  await side.getByRole('button', { name: 'Actions of 2' }).click();
  await expect(page.getByRole('menuitem', { name: 'Favourite: undo' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Use settings' }).click();
  await expect(promptField(page)).toHaveValue('two figs');
});

test('a comparison uses the words of the viewer, in columns below the results', async ({
  page,
  member: { customer },
}) => {
  const ids: string[] = [];
  for (const [prompt, num_inference_steps] of [
    ['one fig', 9],
    ['two figs', 12],
  ] as const)
    ids.push((await customer.generate(picture(prompt, { num_inference_steps }))).request_id);
  await page.goto(`/history?compare=${ids.join(',')}`);
  const compared = page.getByRole('dialog', { name: 'Compare' });
  await expect(compared.getByRole('rowheader')).toHaveText(['Prompt', 'Steps', 'Seed']);
  await expect(compared.getByRole('row', { name: /^Steps/ }).getByRole('cell')).toHaveText(['9', '12']);
  const label = await compared.getByRole('columnheader').first().boundingBox();
  expect(label!.width).toBeLessThan(150);

  await page.goto(`/history?view=${ids[1]}`);
  const facts = viewer(page).getByRole('term');
  await expect(facts).toContainText(['Model', 'Size', 'Seed', 'Price', 'Steps', 'Guidance']);
  // the label of the model, which has an emblem, is on the line of its value
  const [term, name] = [facts.getByText('Model'), viewer(page).getByText('Z-Image', { exact: true })];
  expect((await term.boundingBox())!.y).toBeCloseTo((await name.boundingBox())!.y, 0);
});

test('the viewer and a comparison say that a request was deleted or never existed', async ({ page, member }) => {
  const { request_id } = await member.customer.generate(picture('a fig'));
  const said = 'It was deleted, or never existed.';
  await page.goto(`/history?view=${UNKNOWN}`);
  await expect(viewer(page).getByRole('alert')).toContainText(said);
  await page.goto(`/history?compare=${request_id},${UNKNOWN}`);
  await expect(page.getByRole('dialog', { name: 'Compare' }).getByText(said)).toBeVisible();
});

test('Escape closes a comparison even after a notice has appeared', async ({ page, context, idle }) => {
  const { id, call } = await signUp(context, idle);
  for (const model of ['z_image', 'seed_audio'])
    expect((await call('POST', `/v1/${model}/generate`, { prompt: 'a fig falls' })).status()).toBe(202);
  const ids = (await requestsOf({ call })).map(({ request_id }) => request_id);
  await page.goto(`${idle.baseURL}/history?compare=${ids.join(',')}`);
  const compared = page.getByRole('dialog', { name: 'Compare' });
  await expect(compared.getByText('There is no result.')).toHaveCount(2);
  // audio cannot be zoomed
  await expect(compared.getByRole('group', { name: 'Zoom' })).toHaveCount(0);
  await expect(page).toHaveTitle(/^\(2\) /);
  await idle.pool.query(
    `update requests set status = 'failed', refunded = true, error_message = 'It broke.', finished_at = now()
    where account_id = $1`,
    [id],
  );
  await expect(page.getByText('2 generations failed', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(compared).toBeHidden();
});

test.describe('on a small phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('a comparison can be closed', async ({ page, member: { customer } }) => {
    const ids: string[] = [];
    for (const prompt of ['one fig', 'two figs']) ids.push((await customer.generate(picture(prompt))).request_id);
    await page.goto(`/history?compare=${ids.join(',')}`);
    const compared = page.getByRole('dialog', { name: 'Compare' });
    const close = compared.getByRole('button', { name: 'Close' });
    await expect(compared.getByRole('img')).toHaveCount(2);
    await expect(close).toBeInViewport({ ratio: 1 });
    await close.tap();
    await expect(compared).toBeHidden();
  });
});
