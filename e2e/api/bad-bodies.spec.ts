import { brotliCompressSync, gzipSync } from 'node:zlib';
import { refusal } from '../customer.ts';
import { expect, test } from '../fixtures.ts';
import { raw } from '../raw-http.ts';

// any invalid body is answered with a 4xx, never a 5xx, and is not charged

const JSON_TYPE = { 'content-type': 'application/json' };
const members = (count: number) => Array.from({ length: count }, (_, index) => `"m${index}":1`).join(',');

const REFUSED: Record<string, string | Buffer> = {
  'an empty body': '',
  'white space': ' \n ',
  'half an object': '{"prompt": "rain"',
  'two objects': '{"prompt": "rain"}{"prompt": "rain"}',
  'a trailing comma': '{"prompt": "rain",}',
  'single quotes': "{'prompt': 'rain'}",
  NaN: '{"prompt": "rain", "seed": NaN}',
  'a byte order mark alone': Buffer.from([0xef, 0xbb, 0xbf]),
  'invalid UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'UTF-16': Buffer.from('{"prompt": "rain"}', 'utf16le'),
  'an array': '[{"prompt": "rain"}]',
  'a string': '"rain"',
  'a number': '1',
  null: 'null',
  'a great many members': `{"prompt": "rain", ${members(20_000)}}`,
  'depth 10,000 in arrays': `{"prompt": "rain", "x": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
  'depth 10,000 in objects': `${'{"x":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'depth 1,000,000, unclosed': '['.repeat(1_000_000),
  'NUL in the prompt': '{"prompt": "ra\\u0000in"}',
  'NUL in a name': '{"prompt": "rain", "a\\u0000b": 1}',
  'a lone surrogate in the prompt': '{"prompt": "\\ud800"}',
  'a lone surrogate in a name': '{"prompt": "rain", "\\udfff": 1}',
  '1e400': '{"prompt": "rain", "seed": 1e400}',
  'a seed beyond 32 bits': '{"prompt": "rain", "seed": 4294967296}',
  'a broken seed': '{"prompt": "rain", "seed": 1.5}',
  'a seed in words': '{"prompt": "rain", "seed": "1"}',
  'a huge number': `{"prompt": "rain", "seed": ${'9'.repeat(100_000)}}`,
  'a prompt that is a number': '{"prompt": 1}',
  'a prompt that is null': '{"prompt": null}',
  'a prompt that is an object': '{"prompt": {"$ne": 1}}',
  'an empty prompt': '{"prompt": ""}',
  'a prompt of which nothing can be seen': '{"prompt": "\\u200b \\u3164\\u0001"}',
  'the last of duplicate keys': '{"prompt": "rain", "prompt": 5}',
  'a variant that is no text': '{"prompt": "rain", "model_id": ["x"]}',
  'a duration as a number of another kind': '{"prompt": "rain", "duration": {"toString": 1}}',
  'a great many members and a bad one': `{"prompt": 5, ${members(300_000)}}`,
};

for (const [name, body] of Object.entries(REFUSED)) {
  test(`400 invalid_config: ${name}`, async ({ customer }) => {
    const options = { data: Buffer.from(body), headers: JSON_TYPE };
    await refusal(await customer.api.post('/v1/seed_audio/generate', options), 400, 'invalid_config');
    // when the body is an object, an estimate lists the issues beside the price
    const estimate = await customer.api.post('/v1/seed_audio/estimate', options);
    if (estimate.status() !== 200) await refusal(estimate, 400, 'invalid_config');
    else expect((await estimate.json()).issues).not.toEqual([]);
    expect(await customer.balance()).toBe(10_000);
  });
}

const RAIN = '{"prompt": "rain"}';
const ENCODED: [name: string, body: Buffer, headers: object][] = [
  ['compressed', gzipSync(RAIN), { 'content-encoding': 'gzip' }],
  ['compressed', gzipSync(RAIN), {}],
  ['compressed', brotliCompressSync(RAIN), { 'content-encoding': 'br' }],
  ['in UTF-16', Buffer.from(RAIN, 'utf16le'), {}],
  ['in UTF-16', Buffer.from(`\uFEFF${RAIN}`, 'utf16le'), {}],
  ['in UTF-16', Buffer.from(`\uFEFF${RAIN}`, 'utf16le').swap16(), {}],
];

test('a body that is compressed or in UTF-16 is refused with an error that says so', async ({ customer }) => {
  for (const [found, data, headers] of ENCODED) {
    const answer = await customer.api.post('/v1/seed_audio/generate', { data, headers: { ...JSON_TYPE, ...headers } });
    const { message } = await refusal(answer, 400, 'invalid_config');
    expect(message).toBe(`The body must be JSON in UTF-8, not compressed; it is ${found}.`);
  }
});

const ACCEPTED: Record<string, string | Buffer> = {
  'members of no meaning to the service':
    '{"prompt": "rain", "__proto__": {"gems": 0}, "constructor": 1, "toString": null}',
  'duplicate keys, the last one counts': '{"prompt": 5, "prompt": "rain"}',
  'a byte order mark in front': Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"prompt": "rain"}')]),
  'a thousand members': `{"prompt": "rain", ${members(1_000)}}`,
  'a number beyond all numbers in an unknown member': '{"prompt": "rain", "x": [-1e400]}',
  'a small exponent': '{"prompt": "rain", "x": 1e-400}',
  'SQL in the prompt': `{"prompt": "'; drop table requests; --"}`,
  'a prompt in many scripts': '{"prompt": "\\u202eرسم 図 \\ud83c\\udf19"}',
};

for (const [name, body] of Object.entries(ACCEPTED)) {
  test(`accepted: ${name}`, async ({ customer }) => {
    const response = await customer.api.post('/v1/seed_audio/generate', {
      data: Buffer.from(body),
      headers: JSON_TYPE,
    });
    expect(response.status(), await response.text()).toBe(202);
    const { request_id } = await response.json();
    await customer.detail(request_id);
  });
}

test('a JSON body is accepted whatever content type it declares', async ({ customer }) => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', '???']) {
    const response = await customer.api.post('/v1/seed_audio/estimate', {
      data: Buffer.from('{"prompt": "rain"}'),
      headers: { 'content-type': type },
    });
    expect(response.status(), type).toBe(200);
  }
});

test('the error for a number beyond the range of a double does not call it Infinity', async ({ customer }) => {
  for (const [seed, told] of Object.entries({ '1e400': 'above 1.79e308', '-1e400': 'below -1.79e308' })) {
    const data = Buffer.from(`{"prompt": "rain", "seed": ${seed}}`);
    const response = await customer.api.post('/v1/seed_audio/generate', { data, headers: JSON_TYPE });
    const { message } = await refusal(response, 400, 'invalid_config');
    expect(message).toContain(`it is ${told}.`);
  }
});

test('400 invalid_config: a request without a body', async ({ baseURL, customer }) => {
  const headers = { authorization: `Bearer ${customer.key}` };
  const { status, text } = await raw(baseURL!, { method: 'POST', path: '/v1/seed_audio/generate', headers });
  expect(status).toBe(400);
  expect(JSON.parse(text).error.code).toBe('invalid_config');
});

test('a request without a body is accepted when every member has a default', async ({ idle }) => {
  const { api, key } = await idle.open();
  const { id, secret } = await (await api.post('/v1/webhooks', { data: { url: 'https://example.com/hooks' } })).json();
  const path = `/v1/webhooks/${id}/secret`;
  const headers = { authorization: `Bearer ${key}` };
  const { status, text } = await raw(idle.baseURL, { method: 'POST', path, headers });
  expect(status, text).toBe(200);
  expect(JSON.parse(text).secret).not.toBe(secret);
  expect(JSON.parse(text).previous_secret_until).not.toBeNull();
  await refusal(await api.post(path, { data: Buffer.from(' '), headers: JSON_TYPE }), 400, 'invalid_request');
  const { paths } = await (await api.get('/v1/openapi.json')).json();
  expect(paths['/v1/webhooks/{webhook_id}/secret'].post.requestBody.required).toBe(false);
});

test('an operation that reads no body ignores an invalid one', async ({ customer }) => {
  const { request_id } = await customer.submit();
  const response = await customer.api.post(`/v1/requests/${request_id}/cancel`, { data: Buffer.from('{{{') });
  expect([200, 409]).toContain(response.status());
});
