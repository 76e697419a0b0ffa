import { randomUUID } from 'node:crypto';
import type { RunWire } from '#lib/contract/recipe-schemas';
import { refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';

// recipe runs over HTTP, run by a worker with the preview engine

const COVERS = { topic: 'why lighthouses went dark', covers: 2 };

test('a run is estimated, started once per idempotency key, completed, and charged as estimated', async ({
  customer,
}) => {
  const { api } = customer;
  const estimate = await (await api.post('/v1/recipes/thumbnail/estimate', { data: COVERS })).json();
  expect(estimate).toMatchObject({ enough: true, issues: [], steps: [{ id: 'pictures', count: 2 }] });

  const start = { data: COVERS, headers: { 'idempotency-key': randomUUID(), 'max-gems': String(estimate.gems) } };
  const first = await api.post('/v1/recipes/thumbnail', start);
  expect(first.status(), await first.text()).toBe(202);
  let run = (await first.json()) as RunWire;
  const again = await api.post('/v1/recipes/thumbnail', start);
  expect([again.status(), again.headers()['idempotency-replayed']]).toEqual([200, 'true']);
  expect((await again.json()).run_id).toBe(run.run_id);

  const ask = async () => (run = (await (await api.get(run.status_url)).json()) as RunWire);
  await expect.poll(async () => (await ask()).status, { timeout: 60_000 }).not.toBe('running');
  expect(run).toMatchObject({
    status: 'completed',
    steps: [{ status: 'completed', completed: 2, progress: 1 }],
    billing: { gems_estimated: estimate.gems, gems_charged: estimate.gems, gems_refunded: 0 },
  });
  expect(await customer.balance()).toBe(10_000 - estimate.gems);
  expect(run.results).toHaveLength(2);
  for (const { url } of run.results) expect((await api.get(url)).headers()['content-type']).toBe('image/png');
  const { data } = await (await api.get('/v1/recipes/runs?recipe=thumbnail')).json();
  expect(data).toEqual([run]);
  expect((await customer.list()).data.map(({ request_id }) => request_id).toSorted()).toEqual(
    run.steps[0]!.requests.map(({ request_id }) => request_id).toSorted(),
  );
  await refusal(await api.post(run.retry_url), 409, 'run_finished');
  await refusal(await api.post(run.cancel_url), 409, 'run_finished');
});

test('an error about a recipe input says what the input accepts', async ({ customer }) => {
  const told = async (data: object) => {
    const { issues } = await refusal(
      await customer.api.post('/v1/recipes/storyboard', { data }),
      400,
      'invalid_config',
    );
    return issues!.map(({ message }) => message);
  };
  const text = (most: number) => `text of at most ${most} characters with at least one visible character`;
  expect(await told({ shots: 'a pier', faces: 'ana' })).toEqual([
    `shots must be a list of at most 12, each ${text(800)}; it is "a pier".`,
    `cast must be ${text(1500)}; it is missing.`,
    'faces must be a list of at most 4, each an https URL, an upload URL or a data URL of an image; it is "ana".',
  ]);
  expect(await told({ shots: [], cast: 'Ana, a keeper' })).toEqual([
    'shots must be a list with at least one entry; it is a list of 0.',
  ]);
  expect(await told({ shots: ['a pier'], cast: 'Ana', faces: ['http://example.com/ana.png'] })).toEqual([
    'Cast: faces cannot be used. Only https addresses are fetched, no http: ones.',
  ]);
  const { input_schema } = await (await customer.api.get('/v1/recipes/storyboard')).json();
  const { shots, faces } = input_schema.properties;
  expect([shots.minItems, faces.minItems]).toEqual([1, undefined]);
});

test('unknown recipe inputs are listed as warnings up to a limit; long names have an empty path', async ({
  customer,
}) => {
  const more = Object.fromEntries(Array.from({ length: 21 }, (_, i) => ['x'.repeat(60) + i, 1]));
  const estimate = await customer.api.post('/v1/recipes/thumbnail/estimate', { data: { ...COVERS, ...more, tone: 1 } });
  const { warnings } = (await estimate.json()) as { warnings: { path: string; message: string }[] };
  expect(new Set(warnings.map(({ path }) => path))).toEqual(new Set(['']));
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)!.message).toBe('So were 2 more members that are no input of thumbnail.');
});

test('a run that is invalid, of an unknown recipe, or too expensive is refused before it starts', async ({
  customer,
  house,
}) => {
  const { api } = customer;
  const broken = await refusal(await api.post('/v1/recipes/thumbnail', { data: { covers: 9 } }), 400, 'invalid_config');
  expect(broken.issues?.map(({ path }) => path)).toEqual(['/topic', '/covers']);
  const estimate = await api.post('/v1/recipes/thumbnail/estimate', { data: { ...COVERS, covers: 9 } });
  expect(await estimate.json(), 'what is refused is not counted with').toMatchObject({
    steps: [{ count: 3 }],
    issues: [{ path: '/covers' }],
  });
  await refusal(await api.post('/v1/recipes/thumbnails', { data: COVERS }), 404, 'recipe_not_found');
  const headers = { 'max-gems': '1' };
  await refusal(await api.post('/v1/recipes/thumbnail', { data: COVERS, headers }), 409, 'price_above_limit');
  const poor = await house.open({ gems: 60 });
  const short = await refusal(await poor.api.post('/v1/recipes/thumbnail', { data: COVERS }), 402, 'insufficient_gems');
  expect(short.gems_required).toBeGreaterThan(60);
  const { data } = await (await api.get('/v1/recipes/runs')).json();
  expect(data).toEqual([]);
});

test('concurrent cancellations of a run all succeed; a live run cannot be retried, a cancelled one can', async ({
  idle,
}) => {
  const { api } = await idle.open();
  const { cancel_url, retry_url } = await (await api.post('/v1/recipes/thumbnail', { data: COVERS })).json();
  await refusal(await api.post(retry_url), 409, 'run_live');
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.post(cancel_url)));
  for (const answer of answers) {
    expect(answer.status(), await answer.text()).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'cancelled' });
  }
  expect((await api.post(retry_url)).status()).toBe(202);
});

test('retrying a run is charged to the key that retries it, within its budget', async ({ customer, house }) => {
  const { api } = customer;
  const { gems } = await (await api.post('/v1/recipes/thumbnail/estimate', { data: COVERS })).json();
  const cancelled = async (): Promise<RunWire> => {
    const { cancel_url } = await (await api.post('/v1/recipes/thumbnail', { data: COVERS })).json();
    return (await api.post(cancel_url)).json();
  };
  const other = await house.addKey(customer, { monthlyBudget: gems });
  const { retry_url, status_url, billing } = await cancelled();
  expect(billing.gems_missing).toBe(gems);
  const asking = (most: number) => ({ headers: { 'max-gems': String(most) } });
  await refusal(await other.api.post(retry_url, asking(gems - 1)), 409, 'price_above_limit');
  expect((await other.api.post(retry_url, asking(gems))).status()).toBe(202);
  await expect
    .poll(async () => (await (await api.get(status_url)).json()).status, { timeout: 60_000 })
    .toBe('completed');
  await refusal(await other.api.post((await cancelled()).retry_url), 402, 'insufficient_gems');
});

test('the in-flight limit of an account also limits its concurrent recipe runs', async ({ idle }) => {
  const { api } = await idle.open();
  const start = () => api.post('/v1/recipes/thumbnail', { data: COVERS });
  const answers = await Promise.all(Array.from({ length: 24 }, start));
  const refused = answers.filter(answer => answer.status() !== 202);
  expect(refused).toHaveLength(4);
  for (const answer of refused) await refusal(answer, 429, 'too_many_requests');
  const { cancel_url, retry_url } = await answers.find(answer => answer.ok())!.json();
  expect((await api.post(cancel_url)).status()).toBe(200);
  expect((await start()).status()).toBe(202);
  await refusal(await api.post(retry_url), 429, 'too_many_requests');
});
