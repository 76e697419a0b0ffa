import { expect, test } from 'vitest';
import { unknownSettings } from '#lib/process/unknown-settings';

test.each([
  ['LIMIT_BAD_KEYS_PER_ADRESS', 'LIMIT_BAD_KEYS_PER_ADDRESS'],
  ['LIMIT_WAITING_OF_ANYBODY', 'LIMIT_WAITING_PER_ACCOUNT'],
  ['GEM_PRISE', 'GEM_PRICE'],
  ['PREVIEW_GEMS', 'PREVIEW'],
  ['MODERATION_TOKEN', 'MODERATION_KEY'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['STORAGE_URLS', 'STORAGE_URL'],
])('%s is no setting, and is told with what it was probably to be', (name, nearest) => {
  expect(unknownSettings({ [name]: '1', LIMIT_KEYS: '3' })).toEqual([{ name, nearest }]);
});

test('what others set, or nobody did, is not told', () => {
  const others = [
    'REDIS_URL',
    'SMTP_HOST',
    'AWS_PROFILE',
    'POST',
    'HOSTNAME',
    'HOME',
    'PATH',
    'COMFYUI_KEY',
    'STRIPE_KEY',
  ];
  expect(unknownSettings(Object.fromEntries(others.map(name => [name, '1'])))).toEqual([]);
  expect(unknownSettings({ LIMIT_KEY: '' })).toEqual([]);
});
