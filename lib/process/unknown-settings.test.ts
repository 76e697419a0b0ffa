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
])('the unknown setting %s is reported with the setting that was probably meant', (name, nearest) => {
  expect(unknownSettings({ [name]: '1', LIMIT_KEYS: '3' })).toEqual([{ name, nearest }]);
});

test('variables of other programs and empty variables are not reported', () => {
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
