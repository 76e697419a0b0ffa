import { expect, test } from 'vitest';
import { parseEnv } from '#lib/env';
import { whatIsOpen } from '#lib/process/what-is-open';

const PUBLIC = 'https://pomona.example';

test.each([
  ['on this machine alone', {}, { SIGN_UP: 'open', TRUST_PROXY: 0 }, 'from this machine'],
  [
    'by another name of it',
    { BASE_URL: 'http://[::1]:3000' },
    { SIGN_UP: 'open', TRUST_PROXY: 0 },
    'from this machine',
  ],
  ['behind a proxy beside it', { BASE_URL: PUBLIC }, { SIGN_UP: 'invite', TRUST_PROXY: 1 }, 'off'],
  ['on every interface', { HOST: '0.0.0.0' }, { SIGN_UP: 'invite', TRUST_PROXY: 0 }, 'off'],
  [
    'on every interface by a public name',
    { HOST: '0.0.0.0', BASE_URL: PUBLIC },
    { SIGN_UP: 'invite', TRUST_PROXY: 0 },
    'off',
  ],
  [
    'as the operator says',
    { BASE_URL: PUBLIC, SIGN_UP: 'open', TRUST_PROXY: '2', METRICS_TOKEN: 'x'.repeat(16) },
    { SIGN_UP: 'open', TRUST_PROXY: 2 },
    'with METRICS_TOKEN',
  ],
])(
  'SIGN_UP and TRUST_PROXY have the expected values, and whatIsOpen reports them: %s',
  (_, settings, expected, metrics) => {
    const env = parseEnv(settings);
    expect(env).toMatchObject(expected);
    const [signUp, scrape, clients] = whatIsOpen(env);
    expect(signUp).toContain(env.SIGN_UP === 'open' ? 'anyone who reaches this address' : 'by invitation');
    expect(scrape).toContain(metrics);
    expect(clients).toMatch(env.TRUST_PROXY === 0 ? /by their connection/ : /by the last .* of X-Forwarded-For/);
  },
);

const POSTGRES = 'a postgres:// address, in whose password / ? # and @ are written %2F %3F %23 and %40';
const ORIGIN = 'an http or https origin without a path, such as https://pomona.example';
const ENGINES = 'http addresses of servers, separated by commas, without a user or a query';
test.each([
  ['COMFYUI_URL', 'http://a:8188,b:8188', ENGINES],
  ['COMFYUI_URL', 'http://gpu:81888', ENGINES],
  ['COMFYUI_URL', 'http://a:8188,', ENGINES],
  ['COMFYUI_URL', 'http://gpu:8188?token=1', ENGINES],
  ['MODERATION_URL', 'https://', 'an http or https address'],
  ['AUTH_OIDC_ISSUER', 'http://', 'an http or https address'],
  ['SMTP_URL', 'smtp://', 'an smtp:// or smtps:// address'],
  ['SMTP_URL', 'smtp://mail.example:587587', 'an smtp:// or smtps:// address'],
  ['STORAGE_URL', 'file://', 'with a folder, such as file:///srv/media'],
  ['DATABASE_URL', 'postgres://db:99999/pomona', POSTGRES],
  ['DATABASE_DIRECT_URL', 'mysql://db/pomona', POSTGRES],
  ['BASE_URL', 'https://pomona.example?x=1', ORIGIN],
  ['MEDIA_URL', 'https://pomona.example/media', ORIGIN],
  ['MAIL_FROM', 'Pomona', 'an address such as Pomona <pomona@example.com>'],
  ['PORT', '-1', 'a whole number from 1 to 65535'],
  ['LIMIT_KEYS', '0', 'a whole number from 1 to 999999999999999'],
])('an invalid value of %s is reported with what is allowed: %s', (name, value, expected) => {
  const others = name === 'AUTH_OIDC_ISSUER' ? { AUTH_OIDC_ID: 'pomona', AUTH_OIDC_SECRET: 'secret' } : {};
  expect(() => parseEnv({ ...others, [name]: value })).toThrow(`${name} must be ${expected}; it is "${value}"`);
});

test('a password in an invalid address is not shown in the error', () => {
  expect(() => parseEnv({ DATABASE_URL: 'postgres://pomona:pe/ar@db/pomona' })).toThrow(
    `DATABASE_URL must be ${POSTGRES}; it is "postgres://…@db/pomona"`,
  );
  expect(() => parseEnv({ SMTP_URL: 'smtp://pomona:pe#ar@mail' })).toThrow('it is "smtp://…@mail"');
});

test('the passwords in an invalid list of addresses are not shown in the error', () => {
  const several = 'http://ann:pear@one:8188,http://bob:plum@two:8188';
  expect(() => parseEnv({ COMFYUI_URL: several })).toThrow('it is "http://…@one:8188,http://…@two:8188"');
});

test('a text that is too long is reported with its limit', () => {
  expect(() => parseEnv({ RECEIPT_SELLER: 'x'.repeat(501) })).toThrow('RECEIPT_SELLER must be at most 500 characters');
});

test('a secret is not shown in the error', () => {
  expect(() => parseEnv({ SECRET_KEY: 'pear' })).toThrow(/^SECRET_KEY must be at least 32 characters$/);
});

test('the direct address of a database without its address is refused', () => {
  expect(() => parseEnv({ DATABASE_DIRECT_URL: 'postgres://db/pomona' })).toThrow('DATABASE_URL must be set too');
});

test('private hosts may be separated by commas with and without spaces', () => {
  const { ALLOWED_PRIVATE_HOSTS } = parseEnv({ ALLOWED_PRIVATE_HOSTS: 'nas.internal, 10.0.0.7,10.0.0.8' });
  expect(ALLOWED_PRIVATE_HOSTS).toEqual(['nas.internal', '10.0.0.7', '10.0.0.8']);
});

test('valid addresses are accepted unchanged', () => {
  const settings = {
    COMFYUI_URL: 'http://10.0.0.7:8188,https://gpu.example/comfy/, http://[::1]:8188',
    MODERATION_URL: 'https://api.openai.com/v1',
    SMTP_URL: 'smtps://pomona:p%40ss@mail.example:465',
    STORAGE_URL: 'file:///srv/media',
    DATABASE_URL: 'postgres://pomona:p%2Fss@[::1]:5432/pomona?sslmode=require',
    DATABASE_DIRECT_URL: 'postgresql://pomona@/pomona?host=/var/run/postgresql',
  };
  expect(parseEnv(settings)).toMatchObject(settings);
});

test('limits have defaults and are validated like other settings', () => {
  expect(parseEnv({})).toMatchObject({ LIMIT_KEYS: 100 });
  expect(parseEnv({ LIMIT_KEYS: '3' })).toMatchObject({ LIMIT_KEYS: 3 });
});
