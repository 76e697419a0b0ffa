import { expect, test } from 'vitest';
import { requireSameOrigin } from '#lib/http/same-origin';

// the origin is tested over HTTP in e2e/api/session.spec.ts, where requests always declare their body

test.each([
  ['no body', {}, true],
  ['an empty one', { 'content-length': '0' }, true],
  ['one without a type', { 'content-length': '2' }, false],
  ['one of unknown length without a type', { 'transfer-encoding': 'chunked' }, false],
  ['JSON of unknown length', { 'transfer-encoding': 'chunked', 'content-type': 'application/json' }, true],
])('a same-origin request with %s, declared by the headers %j, is accepted: %s', (_, headers, isServed) => {
  const request = { method: 'POST', headers: new Headers({ 'sec-fetch-site': 'same-origin', ...headers }) } as Request;
  const asked = () => requireSameOrigin(request);
  if (isServed) expect(asked).not.toThrow();
  else expect(asked).toThrow('JSON as the body');
});
