import { expect, test } from 'vitest';
import { env } from '#lib/env';
import { checkRemoteAddress, NOT_PUBLIC } from '#lib/media/remote-address';

test.each(['localhost', 'LOCALHOST', 'localhost.', 'box.localhost', '127.0.0.1', '10.0.0.5', '[::1]'])(
  '%s is refused before any lookup',
  host => expect(() => checkRemoteAddress(`https://${host}:8787/a.png`)).toThrow(NOT_PUBLIC),
);

test.each(['localhost.example', 'notlocalhost', 'nowhere.test'])(
  '%s passes this check, since it is resolved only when it is fetched',
  host => expect(checkRemoteAddress(`https://${host}/a.png`).hostname).toBe(host),
);

test('a URL has at most 8,192 characters, both as given and after encoding', () => {
  const long = (sign: string, count: number) => `https://a.test/?${sign.repeat(count)}`;
  expect(checkRemoteAddress(long('a', 8_176)).href).toHaveLength(8_192);
  for (const address of [long('a', 8_177), long('é', 1_363)])
    expect(() => checkRemoteAddress(address)).toThrow('at most 8192 characters');
});

test('a private host is accepted only under the exact name that the operator allows', () => {
  Object.assign(env(), { ALLOWED_PRIVATE_HOSTS: ['localhost'] });
  expect(checkRemoteAddress('https://localhost:8787/a.png').port).toBe('8787');
  expect(checkRemoteAddress('http://localhost:8787/', { plainInside: true }).port).toBe('8787');
  expect(() => checkRemoteAddress('http://localhost:8787/a.png')).toThrow('Only https');
  expect(() => checkRemoteAddress('http://nowhere.test/', { plainInside: true })).toThrow('Only https');
  expect(() => checkRemoteAddress('https://box.localhost/a.png')).toThrow(NOT_PUBLIC);
});
