import { randomUUID } from 'node:crypto';
import { dataUrl, makeImage, makeWav } from '#lib/media/media-test-files';
import { Agent, ERAS, type Answer } from '../agent.ts';
import { QUICK, refusal, type Customer } from '../customer.ts';
import { expect, OPT_IN, RETIRED, test } from '../fixtures.ts';
import { raw } from '../raw-http.ts';

// the MCP tools: operations of the API under the names that public skills use

const TOOLS = [
  'list_models',
  'get_model',
  'get_account',
  'estimate_cost',
  'generate',
  'get_request',
  'cancel_request',
  'list_history',
  'search_creations',
  'create_upload',
  'list_characters',
  'list_references',
  'create_character',
  'create_reference',
  'delete_character',
  'delete_reference',
];
const WRITES = TOOLS.filter(name => /^(generate|cancel|create|delete)/.test(name));

const { architecture, body: config, gems } = QUICK;
const job = (more: object = {}) => ({ architecture, config, idempotency_key: randomUUID(), ...more });
const portrait = dataUrl(await makeImage(64, 64).png().toBuffer());

const agentOf = ({ baseURL }: { baseURL: string }, { key }: Customer) => Agent.connect(baseURL, { key });

/** Expects a refusal, as data, as text, and marked as an error. Returns the error. */
function refused({ isError, data, content }: Answer, code: string) {
  expect(isError, JSON.stringify(data)).toBe(true);
  expect(data.error).toMatchObject({ code, message: expect.stringMatching(/^\S.+[.]$/s) });
  expect(JSON.parse(content[0]!.text!)).toEqual(data);
  return data.error;
}

for (const era of ERAS) {
  test(`a client of the ${era} protocol lists every tool with its schema and read-only hint`, async ({
    house,
    customer,
  }) => {
    const { client } = await Agent.connect(house.baseURL, { key: customer.key, era });
    expect(client.getServerVersion()).toMatchObject({ name: 'pomona' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(TOOLS.toSorted());
    for (const { name, description, inputSchema, annotations } of tools) {
      expect(description!.length, name).toBeGreaterThan(20);
      expect(inputSchema.type, name).toBe('object');
      expect(annotations?.readOnlyHint, name).toBe(!WRITES.includes(name));
    }
    const said = (name: string) => tools.find(tool => tool.name === name)!.description!;
    expect(said('generate')).toMatch(/spends gems.+price.+30 days/is);
    expect(said('create_upload')).toContain('attached');
    expect(JSON.stringify(tools)).toMatch(/@handle.+@image1/);
  });

  test(`a client of the ${era} protocol estimates, generates and reads an image`, async ({ house, customer }) => {
    const agent = await Agent.connect(house.baseURL, { key: customer.key, era });
    const { data: models } = await agent.call('list_models', { type: 'image' });
    expect(models.models.map(({ id }: { id: string }) => id)).toContain('z_image');
    expect(models.models.map(({ type }: { type: string }) => type)).not.toContain('video');
    const { data: model } = await agent.call('get_model', { architecture: 'z_image' });
    expect(model).toMatchObject({ id: 'z_image', gems: 10, input_schema: { required: ['prompt'] } });

    const wanted = { architecture: 'z_image', config: { prompt: 'a pear on a sill' } };
    const { data: estimate } = await agent.call('estimate_cost', wanted);
    expect(estimate).toMatchObject({ gems: 10, balance: 10_000, enough: true, issues: [] });
    const { data: accepted } = await agent.call('generate', job(wanted));
    expect(accepted).toMatchObject({ status: /queued|in_progress/, billing: { gems_charged: 10 } });

    const final = await agent.call('get_request', { request_id: accepted.request_id, wait_seconds: 120 });
    expect(final).toMatchObject({ isError: false, data: { status: 'completed', prompt: 'a pear on a sill' } });
    const [text, link, picture] = final.content;
    expect(JSON.parse(text!.text!)).toEqual(final.data);
    expect(link).toMatchObject({ type: 'resource_link', uri: final.data.result.url, mimeType: 'image/png' });
    expect(picture).toMatchObject({ type: 'image', mimeType: 'image/webp' });
    const smallest = await customer.api.get(final.data.result.preview_url);
    expect(Buffer.from(picture!.data!, 'base64').equals(await smallest.body())).toBe(true);
    expect((await agent.call('get_account')).data).toEqual({ gems: { balance: 9_990 } });
  });
}

test('an opt-in model is listed only with include_opt_in', async ({ idle }) => {
  const agent = await agentOf(idle, await idle.open());
  const list = async (args?: object) =>
    (await agent.call('list_models', args)).data.models.map(({ id }: { id: string }) => id);
  expect(await list()).not.toContain(OPT_IN);
  expect(await list({ type: 'image', include_opt_in: false })).not.toContain(OPT_IN);
  expect(await list({ include_opt_in: true })).toContain(OPT_IN);
  expect((await agent.call('get_model', { architecture: OPT_IN })).data).toMatchObject({ id: OPT_IN, opt_in: true });
});

test('a deleted result is reported without a link', async ({ house, customer }) => {
  const agent = await agentOf(house, customer);
  const { request_id } = await customer.generate();
  const typesOf = async () => (await agent.call('get_request', { request_id })).content.map(({ type }) => type);
  expect(await typesOf()).toEqual(['text', 'resource_link']);
  await customer.api.delete(`/v1/requests/${request_id}`);
  expect(await typesOf()).toEqual(['text']);
});

test('clients of protocol revisions without resource links get only the text', async ({ customer }) => {
  const { request_id } = await customer.generate();
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_request', arguments: { request_id } },
  };
  const typesFor = async (revision: string | undefined) => {
    const answer = await customer.api.post('/mcp', {
      data: message,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(revision !== undefined && { 'mcp-protocol-version': revision }),
      },
    });
    const data = /^data: (\{.*)$/m.exec(await answer.text())![1]!;
    return JSON.parse(data).result.content.map(({ type }: { type: string }) => type);
  };
  for (const revision of [undefined, '2024-11-05', '2025-03-26'])
    expect(await typesFor(revision), revision).toEqual(['text']);
  for (const revision of ['2025-06-18', '2025-11-25'])
    expect(await typesFor(revision), revision).toEqual(['text', 'resource_link']);
});

test('a call repeated with its idempotency key returns the first request and charges once', async ({ idle }) => {
  const customer = await idle.open();
  const agent = await agentOf(idle, customer);
  const once = job({ config: { ...config, colour: 'red' } });
  const [first, second] = [await agent.call('generate', once), await agent.call('generate', once)];
  expect(first.data.warnings).toMatchObject([{ path: '/colour' }]);
  expect(second.data.request_id).toBe(first.data.request_id);
  const shouted = job({ idempotency_key: once.idempotency_key.toUpperCase() });
  expect((await agent.call('generate', shouted)).data.request_id).toBe(first.data.request_id);
  expect(await customer.balance()).toBe(10_000 - gems);
  // the API shares the idempotency keys of the tools
  const replay = await customer.post({ headers: { 'idempotency-key': once.idempotency_key } });
  expect(replay.headers()['idempotency-replayed']).toBe('true');
  refused(await agent.call('generate', job({ idempotency_key: 'again' })), 'invalid_config');
});

test('a long wait reports progress and ends when the request ends', async ({ idle }) => {
  const customer = await idle.open();
  const agent = await agentOf(idle, customer);
  const { data } = await agent.call('generate', job());
  const said: (string | undefined)[] = [];
  const told = Promise.withResolvers<void>();
  const waiting = agent.call('get_request', { request_id: data.request_id, wait_seconds: 120 }, ({ message }) => {
    said.push(message);
    told.resolve();
  });
  await told.promise;
  expect(said).toContain('Queued');
  await agent.call('cancel_request', { request_id: data.request_id });
  expect((await waiting).data).toMatchObject({ status: 'cancelled' });
});

test('a failed request is an error with its code and the refunded gems', async ({ idle }) => {
  const customer = await idle.open();
  const agent = await agentOf(idle, customer);
  const { data } = await agent.call('generate', job());
  await idle.pool.query(
    `update requests set status = 'failed', refunded = true, error_message = 'The model gave up.', finished_at = now() where id = $1`,
    [data.request_id],
  );
  const failed = await agent.call('get_request', { request_id: data.request_id });
  const { message } = refused(failed, 'generation_failed');
  expect(message).toBe('The model gave up.');
  expect(failed.data).toMatchObject({ status: 'failed', billing: { gems_refunded: gems } });
  refused(await agent.call('cancel_request', { request_id: data.request_id }), 'request_finished');
});

test('list_history pages and omits old and removed requests; search_creations lists kept ones first', async ({
  idle,
}) => {
  const customer = await idle.open();
  const agent = await agentOf(idle, customer);
  const prompts = ['a heron in the reeds', 'a heron in flight', 'a heron asleep', 'an otter'];
  const ids: string[] = [];
  for (const prompt of prompts) ids.push((await customer.submit({ body: { prompt } })).request_id);
  const { data: first } = await agent.call('list_history', { limit: 3, type: 'audio' });
  const { data: second } = await agent.call('list_history', { limit: 3, cursor: first.next_cursor });
  const listed = [...first.data, ...second.data].map(({ request_id }) => request_id);
  expect(listed).toEqual(ids.toReversed());
  const nothing = { limit: null, cursor: second.next_cursor, type: null, status: null };
  expect((await agent.call('list_history', nothing)).data.data).toHaveLength(4);
  expect((await agent.call('list_history', { status: 'completed' })).data.data).toEqual([]);
  expect((await agent.call('list_history', { type: 'image' })).data.data).toEqual([]);
  // a request older than the retention period of its media
  await idle.pool.query(
    `update requests set id = ('00000000-0000-7000-8000-' || right(id::text, 12))::uuid where id = $1`,
    [ids.pop()],
  );
  expect((await agent.call('list_history')).data.data).toHaveLength(3);
  const remove = (at: string) => idle.pool.query(`update requests set removed_at = ${at} where id = $1`, [ids[2]]);
  await remove('now()');
  expect((await agent.call('list_history')).data.data).toHaveLength(2);
  await remove('null');

  await idle.pool.query(
    `update requests set status = 'completed', finished_at = now(), kept = (id = $2) where account_id = $1`,
    [customer.accountId, ids[0]],
  );
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await agent.call('search_creations', { query: 'heron', limit: 1, cursor });
    found.push(...data.data.map(({ request_id }: { request_id: string }) => request_id));
    cursor = data.next_cursor ?? undefined;
  } while (cursor);
  expect(found).toEqual([ids[0], ids[2], ids[1]]);
  expect((await agent.call('search_creations', { query: 'her', limit: 3 })).data.data).toHaveLength(3);
});

test('tools create, list, mention and delete uploads, characters and references', async ({ house, customer }) => {
  const agent = await agentOf(house, customer);
  const { data: ticket } = await agent.call('create_upload', { content_type: 'image/png' });
  expect(ticket).toMatchObject({ method: 'PUT', content_type: 'image/png', max_bytes: 104_857_600 });
  const bytes = await makeImage(32, 32).png().toBuffer();
  const put = await customer.api.put(ticket.upload_url, { headers: ticket.headers, data: bytes });
  expect(put.status()).toBe(200);

  const handle = `h${randomUUID().slice(0, 8)}`;
  const { data: character } = await agent.call('create_character', { name: 'Ana', handle, image: ticket.url });
  expect(character).toMatchObject({ handle, name: 'Ana', visibility: 'private' });
  const { data: coat } = await agent.call('create_reference', { name: 'Coat', kind: 'outfit', image: portrait });
  const { data: rain } = await agent.call('create_reference', {
    name: 'Rain',
    kind: 'audio',
    audio: dataUrl(makeWav(1)),
  });
  const names = (answer: Answer) => answer.data.data.map(({ id }: { id: string }) => id);
  expect(names(await agent.call('list_characters', { kind: 'outfit' }))).toEqual([character.id]);
  expect(names(await agent.call('list_references'))).toEqual([rain.id, coat.id]);
  expect(names(await agent.call('list_references', { kind: 'outfit' }))).toEqual([coat.id]);

  const mention = { architecture: 'mango', config: { prompt: `@${handle} at the window` } };
  expect((await agent.call('estimate_cost', mention)).data.mentions).toMatchObject([{ handle, kind: 'character' }]);
  refused(await agent.call('create_character', { name: 'Bo', handle, image: portrait }), 'handle_taken');

  expect((await agent.call('delete_reference', { id: coat.id })).data).toEqual({ id: coat.id, deleted: true });
  expect((await agent.call('delete_character', { id: character.id })).isError).toBe(false);
  refused(await agent.call('delete_reference', { id: coat.id }), 'reference_not_found');
  refused(await agent.call('delete_character', { id: character.id }), 'character_not_found');
  const gone = refused(await agent.call('generate', job(mention)), 'invalid_config');
  expect(gone.message).toContain(`@${handle}`);
});

test('an estimate for a source video that cannot be measured has requires_media_measurement', async ({
  house,
  customer,
}) => {
  const agent = await agentOf(house, customer);
  const { data: entry } = await agent.call('get_model', { architecture: 'lemon' });
  const { field, cardinality } = entry.video_inputs;
  const video = 'https://nowhere.invalid/a.mp4';
  const config = { prompt: 'slower', [field]: cardinality === 'list' ? [video] : video };
  const { data } = await agent.call('estimate_cost', { architecture: 'lemon', config });
  expect(data).toMatchObject({ requires_media_measurement: true, issues: [{ path: expect.stringContaining(field) }] });
  expect((await agent.call('estimate_cost', job())).data).not.toHaveProperty('requires_media_measurement');
});

test('refusals have a code and the facts that an agent needs to proceed', async ({ idle }) => {
  const [poor, customer] = [await idle.open({ gems: gems - 1 }), await idle.open()];
  const agent = await agentOf(idle, customer);
  const broke = await agentOf(idle, poor);
  const short = refused(await broke.call('generate', job()), 'insufficient_gems');
  expect(short).toMatchObject({ gems_required: gems, balance: gems - 1, request_id: expect.any(String) });
  expect(short.tell_the_person).toContain(`the account has ${gems - 1}. Get more at ${idle.baseURL}/account/gems`);
  // the message names arguments of the tool, not headers and paths
  expect(short.message).toMatch(/ needs a new idempotency_key\.$/);
  const { request_id, ...facts } = short;
  expect(refused(await broke.call('get_request', { request_id }), 'insufficient_gems')).toEqual(facts);

  expect(refused(await agent.call('get_model', { architecture: 'durian' }), 'architecture_not_found').message).toMatch(
    / list_models lists all\.$/,
  );
  refused(await agent.call('generate', job({ architecture: RETIRED })), 'architecture_retired');
  refused(await agent.call('get_request', { request_id: randomUUID() }), 'request_not_found');
  refused(await agent.call('get_request', { request_id: randomUUID(), wait_seconds: 121 }), 'invalid_request');
  refused(await agent.call('create_upload', { content_type: 'image/svg+xml' }), 'invalid_request');
  expect(refused(await agent.call('list_history', { cursor: 'x' }), 'invalid_request').message).toMatch(
    /^cursor must be the next_cursor of the page before/,
  );
  expect(refused(await agent.call('make_tea'), 'invalid_request').message).toContain('list_models');
  expect(refused(await agent.call('x'.repeat(5_000)), 'invalid_request').message.length).toBeLessThan(1_000);
  const bad = refused(
    await agent.call('generate', job({ config: { prompt: 'a pear', duration: '7' } })),
    'invalid_config',
  );
  expect(bad.issues).toMatchObject([{ path: '/duration' }]);
  for (const prompt of ['a\0b', 'half of \ud83c']) {
    for (const tool of ['generate', 'estimate_cost']) {
      const { issues } = refused(await agent.call(tool, job({ config: { prompt } })), 'invalid_config');
      expect(issues).toMatchObject([{ path: '/config/prompt' }]);
    }
  }
  for (const tool of ['generate', 'estimate_cost'])
    refused(await agent.call(tool, job({ config: 'a pear' })), 'invalid_config');

  await idle.pool.query('update accounts set in_flight_limit = 1 where id = $1', [customer.accountId]);
  await agent.call('generate', job());
  const full = refused(await agent.call('generate', job()), 'too_many_requests');
  expect(full.retry_after_seconds).toBeGreaterThan(0);

  await idle.pool.query('update accounts set may_generate = false, may_create_cast = false where id = $1', [
    customer.accountId,
  ]);
  refused(await agent.call('generate', job()), 'forbidden');
  refused(await agent.call('create_character', { name: 'Ana', image: portrait }), 'forbidden');
});

test('a page limit outside 1 to 200 is refused', async ({ house, customer }) => {
  const agent = await agentOf(house, customer);
  for (const tool of ['list_history', 'list_characters', 'list_references', 'search_creations'])
    for (const limit of [0, 201, 1.5]) {
      const { issues } = refused(await agent.call(tool, { limit, query: 'rain' }), 'invalid_request');
      expect(issues, `${tool} ${limit}`).toMatchObject([{ path: '/limit' }]);
    }
});

test('requests of another account are neither found nor listed', async ({ idle }) => {
  const [owner, other] = [await idle.open(), await idle.open()];
  const { request_id } = await owner.submit();
  const agent = await agentOf(idle, other);
  refused(await agent.call('get_request', { request_id }), 'request_not_found');
  refused(await agent.call('cancel_request', { request_id }), 'request_not_found');
  expect((await agent.call('list_history')).data.data).toEqual([]);
  expect((await agent.call('search_creations', { query: 'rain' })).data.data).toEqual([]);
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

test('/mcp refuses invalid keys, foreign origins and hosts, large bodies and malformed messages', async ({
  house,
  customer,
}) => {
  const accept = 'application/json, text/event-stream';
  const post = (data: unknown, headers: Record<string, string> = {}) =>
    customer.api.post('/mcp', { data, headers: { accept, 'content-type': 'application/json', ...headers } });
  expect((await post(ping)).status()).toBe(200);
  const nobody = await post(ping, { authorization: 'Bearer nothing' });
  await refusal(nobody, 401, 'unauthorized');
  expect(nobody.headers()['www-authenticate']).toContain('Bearer');
  await refusal(await post(ping, { origin: 'https://elsewhere.example' }), 403, 'forbidden');
  expect((await post(ping, { origin: house.baseURL })).status()).toBe(200);
  const denied = async (data: unknown, status: number, code: number, says = /^\S.+/s) => {
    const response = await post(data);
    expect(response.status()).toBe(status);
    const error = { code, message: expect.stringMatching(says) };
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: null, error });
  };
  await denied(Buffer.from('{"jsonrpc"'), 400, -32_700);
  await denied({ ...ping, params: { pad: 'x'.repeat(4_500_000) } }, 413, -32_700, /through create_upload /);
  await denied([], 400, -32_600);
  await denied(
    Array.from({ length: 11 }, () => ping),
    400,
    -32_600,
  );
  await refusal(await customer.api.get('/mcp'), 405, 'method_not_allowed');
  // a foreign host name that resolves to this server
  const rebound = await raw(house.baseURL, {
    method: 'POST',
    path: '/mcp',
    headers: { host: 'elsewhere.example', authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(ping)),
  });
  expect(rebound).toMatchObject({ status: 403, text: expect.stringContaining(house.baseURL) });
});

test('a batch, allowed by the revision 2025-03-26, is answered message by message', async ({ customer }) => {
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-03-26' };
  const call = { name: 'get_account', arguments: {} };
  const messages = [
    ping,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { ...ping, id: 2, method: 'tools/call', params: call },
  ];
  const answer = await customer.api.post('/mcp', { data: messages, headers });
  expect(answer.status()).toBe(200);
  expect(answer.headers()['cache-control']).toContain('no-store');
  const events = [...(await answer.text()).matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!));
  expect(events.toSorted((a, b) => a.id - b.id)).toMatchObject([
    { id: 1, result: {} },
    { id: 2, result: { structuredContent: { gems: { balance: 10_000 } } } },
  ]);
});

test('a tool call beyond the scopes of its key is refused', async ({ house, customer }) => {
  const lacking = { generate: 'generate', get_account: 'account', create_upload: 'uploads', delete_character: 'cast' };
  const reader = await agentOf(house, await house.addKey(customer, { scopes: ['read'] }));
  expect((await reader.call('list_history')).isError).toBe(false);
  for (const [tool, scope] of Object.entries(lacking)) {
    const { message } = refused(
      await reader.call(tool, job({ content_type: 'image/png', id: randomUUID() })),
      'forbidden',
    );
    expect(message, tool).toContain(`the scope ${scope}`);
  }
  const writer = await agentOf(
    house,
    await house.addKey(customer, { scopes: ['generate', 'account', 'uploads', 'cast'] }),
  );
  refused(await writer.call('list_models'), 'forbidden');
});
