import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { APIRequestContext, APIResponse } from '@playwright/test';
import { operations, type OperationId } from '#lib/contract/operations';
import { refusalsOf, type Operation } from '#lib/contract/operation';
import { errorEnvelope } from '#lib/contract/schemas';
import { ERROR_CODES, ERROR_STATUS } from '#lib/errors';
import { checkAnswer } from '#lib/http/check-answer';
import { openContext } from '../api-context.ts';
import { expect, test } from '../fixtures.ts';

// compares the answers of the deployment with the contract

interface Catalog {
  architectures: { id: string; base_config: object; input_schema: { properties: Record<string, object> } }[];
}

const statusesOf = (operation: Operation) => [
  ...Object.keys(operation.responses).map(Number),
  ...refusalsOf(operation).map(code => ERROR_STATUS[code]),
];

/** Values for the requests sent to every operation, most of which it refuses. */
const PARAMS = ['mango', 'seed_audio', 'nothing', '0190b5a0-0000-7000-8000-000000000000', '%F0%9F%8D%8B'];
const QUERIES = ['', '?limit=1', '?limit=x', '?wait=0', '?wait=x', '?cursor=x', '?unknown=1'];
const BODIES = ['{"prompt": "rain"}', '{}', '[]', '{'];

/** Returns no headers, and an invalid value for each header of the operation. */
const headersOf = ({ headers }: Operation): Record<string, string>[] => [
  {},
  ...Object.keys(headers.shape).map(name => ({ [name]: 'nothing of the kind' })),
];

function* requestsOf(operation: Operation) {
  for (const param of operation.path.includes('{') ? PARAMS : [''])
    for (const query of operation.method === 'GET' ? QUERIES : [''])
      for (const body of operation.body ? BODIES : [undefined])
        for (const headers of headersOf(operation))
          yield { path: operation.path.replaceAll(/\{\w+\}/g, param) + query, body, headers };
}

for (const id of Object.keys(operations) as OperationId[]) {
  const operation: Operation = operations[id];
  test(`${operation.method} ${operation.path} returns only statuses and bodies of its contract`, async ({ idle }) => {
    const customer = await idle.open();
    for (const { path, body, headers } of requestsOf(operation)) {
      const response = await customer.api.fetch(path, {
        method: operation.method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { data: Buffer.from(body) }),
      });
      const status = response.status();
      const text = await response.text();
      expect(statusesOf(operation), `${path} ${text}`).toContain(status);
      expect(status, `${path} ${text}`).toBeLessThan(500);
      const schema = operation.responses[status];
      if (schema === null) expect(text).toBe('');
      else checkAnswer(schema ?? errorEnvelope, JSON.parse(text));
      if (status === 400) expect(JSON.parse(text).error.code).toBe(operation.invalid);
    }
  });
}

const document = async (api: APIRequestContext) => (await api.get('/v1/openapi.json')).json();

test('GET /v1/openapi.json is a valid OpenAPI 3.1 document', async ({ customer }) => {
  const result = await new Validator().validate(await document(customer.api));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('GET /v1/openapi.json needs no key and names this deployment', async ({ baseURL }) => {
  const stranger = await openContext({ baseURL: baseURL! });
  const { openapi, servers } = await document(stranger);
  expect(openapi).toMatch(/^3\.1\./);
  expect(servers).toEqual([{ url: baseURL }]);
});

test('GET /v1/openapi.json has every operation, and a path for each architecture', async ({ customer }) => {
  const { paths } = await document(customer.api);
  for (const operation of Object.values<Operation>(operations)) {
    const described = paths[operation.path]?.[operation.method.toLowerCase()];
    expect(
      Object.keys(described?.responses ?? {})
        .map(Number)
        .toSorted(),
    ).toEqual([...new Set(statusesOf(operation))].toSorted());
  }
  const { architectures } = (await (await customer.api.get('/v1/architectures')).json()) as Catalog;
  expect(architectures).toHaveLength(16);
  for (const { id, input_schema } of architectures) {
    const { schema } = paths[`/v1/${id}/generate`].post.requestBody.content['application/json'];
    expect(schema.properties).toEqual(input_schema.properties);
  }
});

test('GET /v1/openapi.json describes every webhook message, including test messages', async ({ customer }) => {
  const { webhooks, components } = await document(customer.api);
  expect(Object.keys(webhooks)).toEqual(components.schemas.Delivery.properties.event.enum);
});

test('GET /v1/openapi.json has the same methods for a concrete path as for its template path', async ({ customer }) => {
  const { paths } = await document(customer.api);
  const shared = new Set(Object.values<Operation>(operations).map(({ path }) => path));
  const [templates, own] = [[...shared].filter(path => path.includes('{')), Object.keys(paths)];
  for (const path of own.filter(one => !shared.has(one)))
    for (const template of templates)
      if (new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
        expect(Object.keys(paths[path]).toSorted(), path).toEqual(Object.keys(paths[template]).toSorted());
});

test('GET /v1/openapi.json documents the response headers that the server sends', async ({ idle }) => {
  const customer = await idle.open();
  const { paths, components } = await document(customer.api);
  const headers = { 'idempotency-key': 'once' };
  const { request_id: id } = await customer.submit({ headers });
  const stranger = await openContext({ baseURL: idle.baseURL });
  const state = await customer.api.get(`/v1/requests/${id}/status`);
  const known = { headers: { 'if-none-match': state.headers().etag! } };
  const answers: [string, string, number, APIResponse, string[]][] = [
    ['post', '/v1/{architecture}/generate', 200, await customer.post({ headers }), ['Idempotency-Replayed']],
    ['get', '/v1/requests/{request_id}/status', 200, state, ['ETag', 'Retry-After']],
    [
      'get',
      '/v1/requests/{request_id}/status',
      304,
      await customer.api.get(state.url(), known),
      ['ETag', 'Retry-After'],
    ],
    ['get', '/v1/account', 200, await customer.api.get('/v1/account'), []],
    ['get', '/v1/account', 401, await stranger.get('/v1/account'), ['WWW-Authenticate']],
  ];
  for (const [method, path, status, answer, names] of answers) {
    expect(answer.status(), path).toBe(status);
    expect(Object.keys(paths[path][method].responses[status].headers).toSorted(), path).toEqual(
      ['X-Request-Id', ...names].toSorted(),
    );
    for (const name of names) expect(answer.headers(), path).toHaveProperty(name.toLowerCase());
  }
  const { headers: late } = paths['/v1/account'].get.responses[429];
  expect(late['Retry-After']).toEqual({ $ref: '#/components/headers/Retry-After' });
  expect(components.headers['Retry-After'].schema).toMatchObject({ type: 'integer', minimum: 0 });
});

test('GET /v1/openapi.json has the tags, operation ids, components and codes for client generators', async ({
  customer,
}) => {
  const { paths, webhooks, components, tags } = await document(customer.api);
  type Described = Record<string, { operationId: string; tags: string[] }>;
  const described = Object.values<Described>({ ...paths, ...webhooks }).flatMap(path => Object.values(path));
  const ids = described.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
  expect(ids).toEqual(expect.arrayContaining(OPERATION_IDS));
  expect(tags.map(({ name }: { name: string }) => name)).toEqual(TAG_NAMES);
  for (const { operationId, tags: own } of described) expect(TAG_NAMES, operationId).toContain(own?.[0]);
  expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(COMPONENTS));
  expect(components.schemas.Error.properties.error.properties.code).toMatchObject({
    type: 'string',
    enum: ERROR_CODES,
  });
  expect(components.schemas.GenerateRequest).toMatchObject({
    required: ['prompt'],
    properties: {
      prompt: { type: 'string' },
      resolution: { type: 'string' },
      use_character_voices: { type: 'boolean' },
    },
  });
  const { required } = components.schemas.Architecture;
  expect(required).toEqual(
    expect.arrayContaining(['mentions', 'max_images', 'max_images_by_model', 'options_by_model']),
  );
  expect(required).not.toContain('estimate_url');
});

const TAG_NAMES = [
  'Requests',
  'Catalog',
  'Recipes',
  'Account',
  'Uploads',
  'Characters',
  'References',
  'Webhooks',
  'Image models',
  'Video models',
  'Audio models',
];
const OPERATION_IDS = [
  'generate',
  'list_architectures',
  'get_request_status',
  'cancel_request',
  'get_account',
  'create_upload',
  'list_characters',
  'create_character',
  'delete_character',
  'list_references',
  'create_reference',
  'delete_reference',
  'generate_anima',
];
const COMPONENTS = [
  'Request',
  'Error',
  'GenerateRequest',
  'ArchitectureList',
  'Architecture',
  'Account',
  'UploadRequest',
  'UploadTicket',
  'Character',
  'CharacterList',
  'CreateCharacterRequest',
  'Reference',
  'ReferenceList',
  'CreateReferenceRequest',
];

test('every input_schema is valid JSON Schema 2020-12, and allows its own defaults and unknown members', async ({
  customer,
}) => {
  const { architectures } = (await (await customer.api.get('/v1/architectures')).json()) as Catalog;
  for (const { base_config, input_schema } of architectures) {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    const validate = ajv.compile(input_schema);
    validate({ prompt: 'rain', ...base_config, unknown: 1 });
    expect(validate.errors ?? []).toEqual([]);
    expect(input_schema).toHaveProperty('additionalProperties', true);
    expect(validate({})).toBe(false);
  }
});

test('GET /v1/architectures has an ETag, and answers 304 when the request carries it', async ({ customer }) => {
  const first = await customer.api.get('/v1/architectures');
  const { etag, vary } = first.headers();
  const again = await customer.api.get('/v1/architectures', { headers: { 'if-none-match': etag! } });
  expect(again.status()).toBe(304);
  expect(again.headers().vary).toBe(vary);
});
