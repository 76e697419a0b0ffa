import { expectAccessible } from '../page-checks.ts';
import { pictureAddress } from './device-files.ts';
import { expect, picture, test } from './history-page.ts';

// the page of a result

test('a result has a page in every state, and only its owner can open it', async ({ page, house, member }) => {
  const { customer } = member;
  const { request_id } = await customer.generate(picture('kept for a while'));
  // a later update, as of a kept result, must not change the shown duration
  await house.pool.query(`update requests set updated_at = finished_at + interval '1 day' where id = $1`, [request_id]);
  await page.goto(`/history/${request_id}`);
  await expect(page).toHaveTitle(/kept for a while/);
  await expect(page.getByText(/, in [\d.]+\ss$/)).toBeVisible();
  await expect(page.getByRole('img', { name: 'kept for a while' })).toBeVisible();
  await expectAccessible(page);
  await house.pool.query(
    `update requests set result = jsonb_set(result, '{expiresAt}', '"2026-01-01T00:00:00.000Z"') where id = $1`,
    [request_id],
  );
  await page.reload();
  await expect(page.getByText(/The file expired on/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open its settings' })).toHaveAttribute('href', /&seed=same$/);
  await house.pool.query(
    `update requests set status = 'failed', result = null, refunded = true, error_message = 'The engine failed.' where id = $1`,
    [request_id],
  );
  await page.reload();
  await expect(page.getByText(/gems were refunded/)).toBeVisible();
  await house.pool.query(
    `update requests set status = 'cancelled', refunded = false, error_message = null where id = $1`,
    [request_id],
  );
  await page.reload();
  await expect(page.getByText(/This was cancelled/)).toBeVisible();
  const other = await (await house.open()).submit();
  expect((await page.goto(`/history/${other.request_id}`))?.status()).toBe(404);
});

test('an input that is gone is shown as an icon, without a link', async ({ page, member: { customer } }) => {
  const body = { prompt: 'a fig', image: await pictureAddress() };
  const { request_id } = await customer.generate({ architecture: 'mango', body });
  await page.route('**/media/input/**', route => route.fulfill({ status: 410 }));
  await page.goto(`/history/${request_id}`);
  const inputs = page.getByRole('region', { name: 'Made from' });
  await expect(inputs.getByText('The file is gone')).toBeVisible();
  await expect(inputs.getByRole('link')).toHaveCount(0);
  await expect(inputs.locator('img')).toHaveCount(0);
});

test.describe('on a high-density screen', () => {
  test.use({ deviceScaleFactor: 2 });

  test('the page of a result hydrates without errors, and measures 100 % zoom in device pixels', async ({
    page,
    member: { customer },
  }) => {
    const { request_id } = await customer.generate(picture('a fig'));
    await page.goto(`/history/${request_id}`);
    await page.getByRole('button', { name: 'Show it at its own size' }).click();
    await expect(page.getByText('100 %', { exact: true })).toBeVisible();
    const shown = await page.getByRole('img', { name: 'a fig' }).boundingBox();
    // 1120 device pixels
    expect(Math.round(shown?.height ?? 0)).toBe(560);
  });
});

test.describe('in the time zone of Tokyo', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('the page of a result shows times in the local time zone, also after it has expired', async ({
    page,
    house,
    member: { customer },
  }) => {
    const { request_id, created_at } = await customer.generate(picture('a fig'));
    await page.goto(`/history/${request_id}`);
    const here = (time: string) =>
      page.evaluate(
        at => new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }),
        time,
      );
    const main = page.getByRole('main');
    await expect(main.locator(`time[datetime="${created_at}"]`)).toHaveText(await here(created_at));
    const over = '2026-01-01T20:00:00.000Z';
    await house.pool.query(
      `update requests set result = jsonb_set(result, '{expiresAt}', to_jsonb($2::text)) where id = $1`,
      [request_id, over],
    );
    await page.reload();
    expect(await here(over)).toContain('Jan 2, 2026, 05:00');
    await expect(main.getByText(/The file expired on/)).toContainText(await here(over));
    await expect(main.locator('dd').filter({ hasText: '2026, 05:00' })).toHaveText(await here(over));
  });
});
