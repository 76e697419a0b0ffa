import { QUICK, refusal, type Customer } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { openMember } from '../member.ts';

// prices of generations and the flow of gems

interface Catalog {
  architectures: { id: string; gems: number; base_config: object }[];
}

const estimateOf = async (customer: Customer, architecture: string, body: object) => {
  const response = await customer.api.post(`/v1/${architecture}/estimate`, { data: body });
  expect(response.status(), await response.text()).toBe(200);
  return response.json();
};

test('the default config of every architecture costs what the catalog says', async ({ customer }) => {
  const { architectures } = (await (await customer.api.get('/v1/architectures')).json()) as Catalog;
  expect(architectures.length).toBe(16);
  for (const { id, gems, base_config } of architectures) {
    expect(Number.isInteger(gems) && gems >= 1).toBe(true);
    for (const body of [{ prompt: 'a pear' }, { prompt: 'a pear', ...base_config }])
      expect(await estimateOf(customer, id, body)).toMatchObject({ gems, balance: 10_000, enough: true, issues: [] });
  }
});

test('an estimate charges nothing, stores nothing, and equals the charge that follows', async ({ idle }) => {
  const customer = await idle.open();
  for (const [architecture, body] of [
    ['seed_audio', { prompt: 'rain', duration: '60' }],
    ['mango', { prompt: 'a pear', resolution: '2K', model_id: 'mango-v3-turbo' }],
    ['ltx_video', { prompt: 'waves', resolution: '240p' }],
    ['cherry', { prompt: 'waves', model_id: 'cherry-pro', resolution: '720p', duration: '8' }],
  ] as const) {
    const before = await customer.balance();
    const { gems, config } = await estimateOf(customer, architecture, body);
    expect(config).toMatchObject(body);
    expect(await customer.balance()).toBe(before);
    const { billing } = await customer.submit({ architecture, body });
    expect(billing.gems_charged).toBe(gems);
    expect(await customer.balance()).toBe(before - gems);
  }
  expect((await customer.list()).data).toHaveLength(4);
});

test('an estimate reports when the balance is not enough', async ({ house }) => {
  const poor = await house.open({ gems: QUICK.gems - 1 });
  expect(await estimateOf(poor, 'seed_audio', QUICK.body)).toMatchObject({ balance: QUICK.gems - 1, enough: false });
});

test('a default that the variant does not support is replaced, an explicit value is refused', async ({ customer }) => {
  const body = { prompt: 'waves', model_id: 'cherry-mini' };
  const { config } = await estimateOf(customer, 'cherry', body);
  expect(['480p', '720p']).toContain(config.resolution);
  const bad = await customer.post({ architecture: 'cherry', body: { ...body, resolution: '1080p' } });
  const error = await refusal(bad, 400, 'invalid_config');
  expect(error.message).toContain('cherry-mini');
});

test('a balance equal to the price can be spent to 0, but not below', async ({ idle }) => {
  const customer = await idle.open({ gems: QUICK.gems });
  await customer.submit();
  expect(await customer.balance()).toBe(0);
  await refusal(await customer.post(), 402, 'insufficient_gems');
});

test('the ledger is listed newest first, without gaps, and in pages', async ({ idle }) => {
  const customer = await idle.open({ gems: 100 });
  const ids = [(await customer.submit()).request_id, (await customer.submit()).request_id];
  const { data } = await (await customer.api.get('/v1/account/ledger')).json();
  expect(data).toMatchObject([
    { kind: 'charge', gems: -19, balance_after: 62, request_id: ids[1] },
    { kind: 'charge', gems: -19, balance_after: 81, request_id: ids[0] },
    { kind: 'opening', gems: 100, balance_after: 100, request_id: null },
  ]);
  const first = await (await customer.api.get('/v1/account/ledger?limit=2')).json();
  const second = await (await customer.api.get(`/v1/account/ledger?limit=2&cursor=${first.next_cursor}`)).json();
  expect([...first.data, ...second.data]).toEqual(data);
  expect(second.next_cursor).toBeNull();
  const opening = await (await customer.api.get('/v1/account/ledger?kind=opening')).json();
  expect(opening).toEqual({ data: data.slice(2), next_cursor: null });
  const other = await idle.open({ gems: 0 });
  expect(await (await other.api.get('/v1/account/ledger')).json()).toEqual({ data: [], next_cursor: null });
});

test('a submission is refused without a charge when Pomona-Account names another account', async ({ idle }) => {
  const [customer, other] = [await idle.open(), await idle.open()];
  const before = await customer.balance();
  const refused = await customer.post({ headers: { 'pomona-account': other.accountId } });
  const { message } = await refusal(refused, 401, 'unauthorized');
  expect(message).toContain('The key does not belong to the account that Pomona-Account names.');
  expect(await customer.balance()).toBe(before);
  await customer.submit({ headers: { 'pomona-account': customer.accountId.toUpperCase() } });

  // a value that is not an account id is reported as an issue, together with the others
  const wrong = await customer.post({ headers: { 'pomona-account': 'me' }, body: { prompt: '' } });
  const { issues } = await refusal(wrong, 400, 'invalid_config');
  expect(issues!.map(({ path }) => path)).toEqual(['/pomona-account', '/prompt']);
  await refusal(
    await customer.api.get('/v1/requests', { headers: { 'pomona-account': 'me' } }),
    400,
    'invalid_request',
  );
});

test('any call is refused without a charge or a result when Pomona-Account names another account', async ({ idle }) => {
  const [{ page, customer }, other] = [await openMember(idle), await idle.open()];
  await idle.pool.query('update accounts set top_up_limit = 5000 where id = $1', [customer.accountId]);
  const start = { method: 'POST', data: { topic: 'why lighthouses went dark', covers: 2 } };
  const { cancel_url, retry_url } = await (await page.fetch('/v1/recipes/thumbnail', start)).json();
  await page.post(cancel_url);
  const calls = [
    ['/v1/recipes/thumbnail', start],
    [retry_url, { method: 'POST' }],
    ['/api/account/top-ups', { method: 'POST', data: { gems: 5 } }],
    ['/api/account/keys', { method: 'POST', data: { name: 'laptop' } }],
    ['/api/account/auto-top-up', { method: 'PUT', data: { auto_top_up: null } }],
    ['/v1/uploads', { method: 'POST', data: { content_type: 'image/png' } }],
    ['/api/collections', { method: 'POST', data: { name: 'Harbours' } }],
    ['/v1/requests', { method: 'GET' }],
  ];
  for (const [path, call] of calls) {
    const headers = { 'pomona-account': other.accountId };
    await refusal(await page.fetch(path, { ...call, headers }), 401, 'unauthorized');
  }
  expect(await customer.balance()).toBe(10_000);
  for (const [path, call] of calls) {
    const headers = { 'pomona-account': customer.accountId };
    expect((await page.fetch(path, { ...call, headers })).ok(), path).toBe(true);
  }
  expect(await customer.balance()).toBe(10_005);
});
