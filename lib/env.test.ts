import { expect, test } from 'vitest';
import { parseEnv } from '#lib/env';
import { whatIsOpen } from '#lib/process/what-is-open';

const PUBLIC = 'https://pomona.example';

test.each([
  ['on this machine alone', {}, { SIGN_UP: 'open', TRUST_PROXY: 0 }, 'for this machine'],
  ['by another name of it', { BASE_URL: 'http://[::1]:3000' }, { SIGN_UP: 'open', TRUST_PROXY: 0 }, 'for this machine'],
  ['behind a proxy beside it', { BASE_URL: PUBLIC }, { SIGN_UP: 'invite', TRUST_PROXY: 1 }, 'for nobody'],
  ['on every interface', { HOST: '0.0.0.0' }, { SIGN_UP: 'invite', TRUST_PROXY: 0 }, 'for nobody'],
  [
    'on every interface by a public name',
    { HOST: '0.0.0.0', BASE_URL: PUBLIC },
    { SIGN_UP: 'invite', TRUST_PROXY: 0 },
    'for nobody',
  ],
  [
    'as the operator says',
    { BASE_URL: PUBLIC, SIGN_UP: 'open', TRUST_PROXY: '2', METRICS_TOKEN: 'x'.repeat(16) },
    { SIGN_UP: 'open', TRUST_PROXY: 2 },
    'for whoever has METRICS_TOKEN',
  ],
])('what is open %s, and that the start says so', (_, settings, expected, metrics) => {
  const env = parseEnv(settings);
  expect(env).toMatchObject(expected);
  const [signUp, scrape, clients] = whatIsOpen(env);
  expect(signUp).toContain(env.SIGN_UP === 'open' ? 'whoever reaches this address' : 'by invitation');
  expect(scrape).toContain(metrics);
  expect(clients).toMatch(env.TRUST_PROXY === 0 ? /by their connection/ : /by the last .* of X-Forwarded-For/);
});

test('limits are settings like the others', () => {
  expect(parseEnv({})).toMatchObject({ LIMIT_KEYS: 100 });
  expect(parseEnv({ LIMIT_KEYS: '3' })).toMatchObject({ LIMIT_KEYS: 3 });
  expect(() => parseEnv({ LIMIT_KEYS: '0' })).toThrow('LIMIT_KEYS must be a whole number');
});
