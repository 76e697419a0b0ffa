import { expect, test } from 'vitest';
import { parseEnv } from '#lib/env';
import { StartError } from '#lib/start-error';
import { parseStorageUrl } from '#lib/storage-url';

const leads: [string, object][] = [
  ['file:///srv/media', { id: 'local', dir: '/srv/media' }],
  [
    's3://media',
    {
      id: 's3',
      region: 'eu-north-1',
      prefix: '',
      conditional: true,
      address: 'https://media.s3.eu-north-1.amazonaws.com',
      publicAddress: 'https://media.s3.eu-north-1.amazonaws.com',
    },
  ],
  ['s3://my.media/a/b?region=us-west-2', { address: 'https://s3.us-west-2.amazonaws.com/my.media', prefix: 'a/b/' }],
  [
    's3://media/eu/?endpoint=http://minio:9000&public_endpoint=https://s3.example&if_none_match=off',
    {
      address: 'http://minio:9000/media',
      publicAddress: 'https://s3.example/media',
      prefix: 'eu/',
      conditional: false,
    },
  ],
  [
    's3://media?endpoint=https://r2.example&path_style=off&region=auto',
    { address: 'https://media.r2.example', region: 'auto' },
  ],
  ['gcs://media/eu', { id: 'gcs', address: 'https://storage.googleapis.com/media', prefix: 'eu/' }],
];
test.each(leads)('%s is parsed', (text, location) =>
  expect(parseStorageUrl(text, 'eu-north-1')).toMatchObject(location),
);

const refused: [string, string][] = [
  ['media', 'an address such as'],
  ['https://media.example', 'an address such as'],
  ['file://srv/media', 'three slashes'],
  ['s3://KEY:very-secret@media', 'without keys in it'],
  ['s3://', "bucket's name"],
  ['s3://My_Media!', "bucket's name"],
  ['s3://media/a%2Fb', 'letters, digits'],
  ['s3://media/.hidden', 'letters, digits'],
  ['s3://media?bucket=other', 'without bucket=; it may have endpoint'],
  ['gcs://media?region=eu', 'without region='],
  ['s3://media?endpoint=minio:9000', 'endpoint is an http or https origin'],
  ['s3://media?endpoint=http://minio:9000/path', 'endpoint is an http or https origin'],
  ['s3://media?path_style=yes', 'path_style is on or off'],
];
test.each(refused)('%s is refused', (text, reason) => expect(() => parseStorageUrl(text)).toThrow(reason));

const problemsOf = (source: Record<string, string>): string => {
  try {
    parseEnv(source);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  }
};

test('an invalid setting stops the start with a reason that shows no secrets', () => {
  expect(problemsOf({ STORAGE_URL: 's3://KEY:very-secret@media' })).toBe(
    'STORAGE_URL must be without keys in it; they are settings of their own; it is "s3://…@media"',
  );
  expect(problemsOf({ METRICS_TOKEN: 'too-short' })).toBe('METRICS_TOKEN must be at least 16 characters');
  expect(problemsOf({ DATABASE_URL: 'mysql://user:very-secret@host/db' })).not.toContain('very-secret');
});

test('media are delivered by redirect by default with a bucket, and only by proxy without one', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  expect(parseEnv({}).MEDIA_DELIVERY).toBe('proxy');
  expect(parseEnv({ STORAGE_URL: 'file:///srv/media' }).MEDIA_DELIVERY).toBe('proxy');
  expect(parseEnv({ STORAGE_URL: 's3://media', ...keys }).MEDIA_DELIVERY).toBe('redirect');
  expect(parseEnv({ STORAGE_URL: 'gcs://media', MEDIA_DELIVERY: 'proxy' }).MEDIA_DELIVERY).toBe('proxy');
  expect(problemsOf({ MEDIA_DELIVERY: 'redirect' })).toContain('only with a bucket');
  expect(problemsOf({ STORAGE_URL: 's3://media', AWS_ACCESS_KEY_ID: 'key' })).toContain('AWS_SECRET_ACCESS_KEY');
});
