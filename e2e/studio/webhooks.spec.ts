import { openReceiver, verified } from '#lib/webhooks/webhook-test-server';
import { QUICK } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { expectFineEverywhere, watchFaults } from '../page-checks.ts';
import { signUp } from '../session.ts';

test('a webhook is added with a secret shown once, tested, resent, given a new secret, switched off and deleted', async ({
  page,
  context,
  house,
}) => {
  const receiver = await openReceiver();
  const faults = watchFaults(page);
  const { id, call } = await signUp(context, house);
  await page.goto('/account/webhooks');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('https://169.254.169.254/latest/meta-data');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(dialog.getByText('Must be an https address of a public server')).toBeVisible();
  await dialog.getByLabel('Address').fill(`${receiver.url}/orders`);
  await dialog.getByLabel('Name').fill('order desk');
  await dialog.getByLabel('balance.low').uncheck();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByRole('heading', { name: 'Signing secret' })).toBeFocused();
  const secret = (await page.getByTestId('new-secret').textContent())!;

  await page.getByRole('link', { name: 'order desk' }).click();
  await expect(page.getByTestId('new-secret')).toHaveCount(0);
  await page.getByRole('button', { name: 'Send a test' }).click();
  await receiver.came(1);
  expect(verified(receiver.received[0]!, secret)).toMatchObject({ type: 'webhook.test' });
  const deliveries = page.getByRole('list', { name: 'Deliveries' });
  await expect(deliveries.getByRole('button', { name: 'webhook.test Delivered' })).toContainText('answered 204');

  const answer = await call('POST', `/v1/${QUICK.architecture}/generate`, QUICK.body);
  const { request_id } = (await answer.json()) as { request_id: string };
  await deliveries.getByRole('button', { name: /request\.completed Delivered/ }).click();
  expect(verified(receiver.received[1]!, secret).data).toMatchObject({ request_id, status: 'completed' });
  await expect(dialog.getByRole('figure', { name: 'request' })).toContainText(request_id);
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(dialog.getByText('2 tries')).toBeVisible();
  expect(receiver.received[2]!.id).toBe(receiver.received[1]!.id);
  await page.keyboard.press('Escape');

  receiver.answers['/orders'] = answer => answer.writeHead(503).end();
  const send = page.getByRole('button', { name: 'Send a test' });
  const place = await send.boundingBox();
  await send.click();
  // not the delivery that was just resent
  const waiting = deliveries.getByRole('button', { name: 'webhook.test Trying again' });
  await expect(waiting).toBeVisible();
  await expect(page.getByText('It does not accept messages.')).toBeVisible();
  expect(await send.boundingBox()).toEqual(place);
  // longer than the first back-off, which may end before the test reads it
  await house.pool.query(
    `update webhook_deliveries set due_at = now() + interval '50 seconds' where account_id = $1 and status = 'pending'`,
    [id],
  );
  await expect(waiting).toContainText(/in \d\d s/);
  const left = async () => Number(/in (\d+) s/.exec(await waiting.innerText())?.[1]);
  const first = await left();
  await expect.poll(left, 'the time to the next try runs').toBeLessThan(first);

  await page.getByRole('button', { name: 'New secret' }).click();
  await dialog.getByRole('button', { name: 'Create new secret' }).click();
  await expect(page.getByRole('heading', { name: 'New secret' })).toBeFocused();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText('Switched off')).toBeVisible();
  const path = new URL(page.url()).pathname;
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
  expect((await page.request.get(path)).status()).toBe(404);
  expect(faults).toEqual([]);
  await receiver.close();
});

test('a new notice is announced, links to its subject, counts as seen once shown, and is hidden with its kind', async ({
  page,
  context,
  house,
}) => {
  const { id, call } = await signUp(context, house);
  await house.pool.query('update accounts set low_balance = 1000 where id = $1', [id]);
  await call('POST', `/v1/${QUICK.architecture}/generate`, QUICK.body);
  const faults = watchFaults(page);
  // the request that marks notices as seen is lost, and repeated on the next visit
  await page.route('**/api/account/notices/seen', route => route.abort(), { times: 1 });
  const lost = page.waitForEvent('requestfailed', request => request.url().endsWith('/api/account/notices/seen'));
  await page.goto('/uploads');
  await page.getByRole('link', { name: '1 new notice' }).click();
  const notice = page.getByRole('list', { name: 'Notices' }).getByRole('listitem');
  await expect(notice).toContainText(`${1000 - QUICK.gems} gems left`);
  await expect(notice.getByRole('link')).toHaveAttribute('href', '/account/gems');
  await expect(notice.getByText('New')).toBeVisible();
  await lost;
  const seen = page.waitForResponse('**/api/account/notices/seen');
  await page.reload();
  expect((await seen).status()).toBe(204);
  // the notice was visible in the list, so it counts as seen
  await expect(page.getByRole('link', { name: 'new notice' })).toHaveCount(0);
  expect((await (await call('GET', '/api/account/notices')).json()).data).toMatchObject([{ seen: true }]);
  expect(faults).toEqual([]);
  await page.getByLabel('Gems run low: Here').uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'No notices' })).toBeVisible();
});

test('the pages of webhooks and notices fit and are accessible', async ({ page, context, house }) => {
  const { call } = await signUp(context, house);
  // a URL wider than a phone, without a name
  const added = await call('POST', '/v1/webhooks', { url: `https://example.com/${'hooks/'.repeat(20)}` });
  const { id } = (await added.json()) as { id: string };
  for (const path of ['/account/webhooks', `/account/webhooks/${id}`, '/account/notices'])
    await expectFineEverywhere(page, path);
});

test('saving a webhook or notice settings keeps what another tab changed meanwhile', async ({
  page,
  context,
  house,
}) => {
  const { call } = await signUp(context, house);
  const added = await call('POST', '/v1/webhooks', { url: 'https://example.com/hooks' });
  const { id } = (await added.json()) as { id: string };
  await page.goto(`/account/webhooks/${id}`);
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Address')).toHaveValue('https://example.com/hooks');
  await call('PATCH', `/v1/webhooks/${id}`, { events: ['balance.low'] });
  await dialog.getByLabel('Name').fill('order desk');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveTitle('order desk · Pomona');
  expect(await (await call('GET', `/v1/webhooks/${id}`)).json()).toMatchObject({
    description: 'order desk',
    events: ['balance.low'],
  });

  // deleted in another tab, the webhook disappears here too
  await call('DELETE', `/v1/webhooks/${id}`);
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('heading', { name: 'order desk' })).toBeHidden();

  await page.goto('/account/notices');
  const low = page.getByLabel('Gems are low when below');
  await expect(low).toBeVisible();
  await call('PUT', '/api/account/notices', { muted: [], low_balance: 77 });
  await expect(async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await expect(low).toHaveValue('77', { timeout: 1_000 });
  }).toPass();
  await page.getByLabel('Gems run low: Here').uncheck();
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  // the form is rendered anew and keeps the focus
  await expect(page.getByLabel('Gems run low: Here')).toBeFocused();
  expect(await (await call('GET', '/api/account/notices')).json()).toMatchObject({
    settings: { muted: ['balance.low:studio'], low_balance: 77 },
  });
});
