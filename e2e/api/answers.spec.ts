import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { studioOperations } from '#lib/contract/studio-operations';
import { operations } from '#lib/contract/operations';
import type { Operation } from '#lib/contract/operation';
import { startComfyui, type ComfyuiTestServer } from '#lib/engines/comfyui/comfyui-test-server';
import { PORTRAIT } from '#lib/engines/comfyui/workflow-test-data';
import { checkAnswer } from '#lib/http/check-answer';
import { QUICK } from '../customer.ts';
import { expect, test, type IdleHouse } from '../fixtures.ts';
import { newAddress, openMember, pageOf, PASSWORD } from '../member.ts';

// the successful answer of every operation of /v1 and /api has exactly the members that the contract declares

const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const THUMBNAIL = { topic: 'a lighthouse', covers: 1 };

let box: ComfyuiTestServer;
test.beforeAll(async () => {
  box = await startComfyui({ version: '0.38.1', files: ['portrait.safetensors'] });
});
test.afterAll(() => box.close());

const engineAt = (url: string, id = `box-${randomUUID().slice(0, 8)}`) => ({
  id,
  type: 'comfyui',
  paused: false,
  servers: [{ id: 'a', url, secret: { value: 'hush' }, places: 1 }],
  options: {},
});

/** Completes the request by SQL, as the idle house has no worker. */
async function complete({ house, ids: { request_id: id, account_id: accountId } }: World) {
  const [key, expiresAt] = [`result/${randomUUID()}.mp3`, new Date(Date.now() + 86_400_000).toISOString()];
  const result = { key, contentType: 'audio/mpeg', bytes: 1, width: 0, height: 0, duration: 1, nsfw: false, expiresAt };
  await house.pool.query(
    `with file as (insert into media (id, account_id, kind, key, content_type, bytes, request_id, expires_at)
      values (gen_random_uuid(), $2, 'result', $3, 'audio/mpeg', 1, $1, $4) returning id)
    update requests set status = 'completed', finished_at = now(),
      result = $5::jsonb || jsonb_build_object('mediaId', (select id from file)) where id = $1`,
    [id, accountId, key, expiresAt, JSON.stringify(result)],
  );
}

/** Creates an operator who owns one object of every kind. */
async function settle(house: IdleHouse) {
  const { page, cookie, customer, accountId, email } = await openMember(house, { operator: true });
  const make = async (path: string, data: object) => {
    const response = await page.post(path, { data });
    expect(response.ok(), `${path} ${await response.text()}`).toBe(true);
    return (await response.json()) as Record<string, unknown>;
  };
  await page.patch(`/api/admin/accounts/${accountId}`, { data: { top_up_limit: 1000 } });
  const request = await customer.submit();
  const character = await make('/v1/characters', { name: 'Ana', image: PICTURE });
  const reference = await make('/v1/references', { name: 'Harbour', kind: 'location', image: PICTURE });
  const upload = await make('/v1/uploads', { content_type: 'image/png' });
  const key = await make('/api/account/keys', { name: 'mine' });
  const collection = await make('/api/collections', { name: 'Orchard', request_ids: [request.request_id] });
  const share = await make('/api/shares', { collection_id: collection.id, settings: true });
  const webhook = await make('/v1/webhooks', { url: 'https://receiver.example/pomona' });
  const test = await make(`/v1/webhooks/${String(webhook.id)}/test`, {});
  const { rows: ways } = await house.pool.query(
    `insert into sign_ins (id, account_id, provider, subject) values (gen_random_uuid(), $1, 'github', $2) returning id`,
    [accountId, randomUUID()],
  );
  const preset = await make('/api/presets', { name: 'Rain', architecture: QUICK.architecture, settings: QUICK.body });
  const run = await make('/v1/recipes/thumbnail', THUMBNAIL);
  const link = await make(`/api/admin/accounts/${accountId}/password-reset`, {});
  const { data: sessions } = await (await page.get('/api/account/sessions')).json();
  await make('/api/admin/invites', {});
  const { data: invites } = await (await page.get('/api/admin/invites')).json();
  const ids = {
    architecture: QUICK.architecture,
    request_id: request.request_id,
    tag: 'ripe',
    character_id: String(character.id),
    reference_id: String(reference.id),
    upload_id: String(upload.id),
    key_id: String(key.id),
    session_id: sessions[0].id as string,
    account_id: accountId,
    invite_id: invites[0].id as string,
    handle: 'free-handle',
    collection_id: String(collection.id),
    share_id: String(share.id),
    preset_id: String(preset.id),
    recipe: 'thumbnail',
    run_id: String(run.run_id),
    webhook_id: String(webhook.id),
    delivery_id: String(test.id),
    sign_in_id: ways[0].id as string,
    token: String(share.url).split('/').at(-1)!,
  };
  return { house, page, cookie, make, email, ids, token: String(new URL(String(link.url)).searchParams.get('token')) };
}

/** Connects an engine and imports a workflow for it. */
async function settleEngine({ page, make }: Pick<Settled, 'page' | 'make'>) {
  const { id: engine_id } = await make('/api/admin/engines', engineAt(box.url));
  const { found } = await make('/api/admin/workflows/read', { text: JSON.stringify(PORTRAIT), engine_id });
  const workflow_id = `portrait-${randomUUID().slice(0, 8)}`;
  const choices = { id: workflow_id, name: 'Portrait' };
  const { architecture, workflow } = await make('/api/admin/workflows/build', { found, choices });
  const files = { architecture, workflow };
  const saved = await page.put(`/api/admin/workflows/${workflow_id}`, { data: files });
  expect(saved.ok(), await saved.text()).toBe(true);
  return { engine_id: String(engine_id), workflow_id, found, files };
}

type Settled = Awaited<ReturnType<typeof settle>>;
type World = Settled & { shop: Awaited<ReturnType<typeof settleEngine>> | null };
type Id = keyof typeof operations | keyof typeof studioOperations;

/** Bodies of the operations that read one. */
const BODIES: Partial<Record<Id, object | ((world: World) => object)>> = {
  generate: QUICK.body,
  estimate: QUICK.body,
  startRun: THUMBNAIL,
  estimateRun: THUMBNAIL,
  createUpload: { content_type: 'image/png' },
  createCharacter: { name: 'Bo', image: PICTURE },
  changeCharacter: { name: 'Bo Ray', additional_images: [PICTURE] },
  changeReference: { name: 'Long pier', image: PICTURE },
  createReference: { name: 'Pier', kind: 'location', image: PICTURE },
  signIn: ({ email }) => ({ email, password: PASSWORD }),
  signUp: () => ({ email: newAddress(), password: PASSWORD }),
  askSignUp: () => ({ email: newAddress() }),
  askPasswordReset: ({ email }) => ({ email }),
  resetPassword: ({ token }) => ({ token, password: 'another orchard' }),
  createWebhook: { url: 'https://receiver.example/other', events: ['request.failed'] },
  changeWebhook: { enabled: false },
  rotateWebhookSecret: {},
  changeProfile: { name: 'Ada' },
  askEmailChange: () => ({ email: newAddress() }),
  makeEmailLink: () => ({ email: newAddress() }),
  changeEmail: ({ ids }) => ({ token: ids.token }),
  changeKey: { monthly_budget: 7 },
  seeNotices: { newest: '00000000-0000-4000-8000-000000000000' },
  setNotices: { low_balance: 50, muted: ['media.expiring:mail'] },
  createCollection: ({ ids }) => ({ name: 'Figs', notes: 'ripe', request_ids: [ids.request_id] }),
  changeCollection: ({ ids }) => ({ name: 'Plums', cover_id: ids.request_id }),
  putItems: ({ ids }) => ({ request_ids: [ids.request_id] }),
  createShare: ({ ids }) => ({ request_id: ids.request_id, settings: false }),
  createPreset: { name: 'Wet', architecture: null, settings: { prompt: 'in the rain' } },
  renamePreset: { name: 'Rainy' },
  deleteAccount: ({ email }) => ({ confirm: email, password: PASSWORD }),
  changePassword: { current_password: PASSWORD, password: 'another orchard' },
  createKey: { name: 'second', monthly_budget: 5 },
  rollKey: {},
  setAutoTopUp: { auto_top_up: { threshold: 1, gems: 10, monthly_limit: 100 } },
  topUp: { gems: 5 },
  changeAccount: { may_generate: true },
  grantGems: { gems: 5, reason: 'a gift' },
  createInvite: { days: 3 },
  changeArchitecture: { state: null },
  examineServer: () => ({ url: box.url }),
  tryEngine: ({ shop }) => ({ engine: engineAt(box.url, shop!.engine_id), architecture: shop!.workflow_id }),
  addEngine: () => engineAt(box.url),
  replaceEngine: ({ shop }) => engineAt(box.url, shop!.engine_id),
  changeEngine: { paused: true },
  readWorkflow: ({ shop }) => ({ text: JSON.stringify(PORTRAIT), replaces: shop!.workflow_id }),
  buildWorkflow: ({ shop }) => ({ found: shop!.found, choices: { id: 'portrait', name: 'Portrait' } }),
  saveWorkflow: ({ shop }) => shop!.files,
};

/** Preparations that an operation needs to succeed. */
const BEFORE: Partial<Record<Id, (world: World) => Promise<unknown>>> = {
  deleteRequest: ({ page, ids }) => page.post(`/v1/requests/${ids.request_id}/cancel`),
  keepResult: complete,
  setExample: complete,
  releaseResult: async world => {
    await complete(world);
    await world.page.put(`/v1/requests/${world.ids.request_id}/keep`);
  },
  retryRun: ({ page, ids }) => page.post(`/v1/recipes/runs/${ids.run_id}/cancel`),
  createShare: complete,
  getShared: complete,
  changeEmail: async world => {
    const link = await world.make(`/api/admin/accounts/${world.ids.account_id}/email`, { email: newAddress() });
    world.ids.token = new URL(String(link.url)).searchParams.get('token')!;
  },
  deleteAccount: async ({ page, ids }) => {
    // the account may be the only operator, which cannot be deleted
    await page.patch(`/api/admin/accounts/${ids.account_id}`, { data: { operator: false } });
  },
};

/** Statuses of operations that this deployment does not offer. */
const REFUSED: Partial<Record<Id, number>> = { askSignUp: 403, askPasswordReset: 403, askEmailChange: 403 };

/** Operations that need a browser, an authenticator or an app: other tests call them, with the same checks. */
const ELSEWHERE = /passkey|second-step|oauth/;

async function send(page: APIRequestContext, id: Id, operation: Operation, world: World) {
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => ({ ...world.ids, ...world.shop })[name as keyof World['ids']],
  );
  const given = BODIES[id];
  const data = typeof given === 'function' ? given(world) : given;
  const query = id === 'takeItems' ? `?ids=${world.ids.request_id}` : '';
  return page.fetch(path + query, { method: operation.method, ...(data && { data }) });
}

async function openWorld(house: IdleHouse, hasShop: boolean): Promise<World> {
  const settled = await settle(house);
  return { ...settled, shop: hasShop ? await settleEngine(settled) : null };
}

async function closeShop({ house, cookie, shop }: World): Promise<void> {
  if (!shop) return;
  const page = await pageOf(house.baseURL, cookie);
  await page.delete(`/api/admin/workflows/${shop.workflow_id}`);
  await page.delete(`/api/admin/engines/${shop.engine_id}`);
}

/** World shared by all operations that only read. */
let lasting: Promise<World> | undefined;
test.afterAll(async () => {
  if (lasting) await closeShop(await lasting);
});

for (const [name, operation] of Object.entries<Operation>({ ...operations, ...studioOperations })) {
  const id = name as Id;
  if (ELSEWHERE.test(operation.path)) continue;
  const onlyReads = operation.method === 'GET' && !BEFORE[id];
  test(`${operation.method} ${operation.path} returns the status and body that its contract declares`, async ({
    idle,
  }) => {
    const world = await (onlyReads
      ? (lasting ??= openWorld(idle, true))
      : openWorld(idle, /engines|workflows/.test(operation.path)));
    await BEFORE[id]?.(world);
    const page = await pageOf(
      idle.baseURL,
      operation.auth === 'anyone' && id !== 'getSession' ? undefined : world.cookie,
    );
    const response = await send(page, id, operation, world);
    const text = await response.text();
    expect(response.status(), text).toBe(
      REFUSED[id] ?? Number(Object.keys(operation.responses).findLast(status => status.startsWith('2'))),
    );
    const schema = operation.responses[response.status()];
    const parts = operation.lines ? text.trimEnd().split('\n') : [text];
    if (schema) for (const part of parts) checkAnswer(schema, JSON.parse(part));
    else if (schema === null) expect(text).toBe('');
    if (!onlyReads) await closeShop(world);
  });
}
