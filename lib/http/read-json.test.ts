import { afterEach, expect, test, vi } from 'vitest';
import { MAX_BODY_BYTES, readJson } from '#lib/http/read-json';

afterEach(() => void vi.restoreAllMocks());

const read = (body: string) => readJson(new Request('http://x/', { method: 'POST', body }), 'invalid_request');

test.each([
  ['members', `{${Array.from({ length: 200_000 }, (_, n) => `"m${n}":1`).join()}}`],
  ['levels', '['.repeat(100_000) + ']'.repeat(100_000)],
])('a body of far too many %s is refused before it is parsed', async (_, body) => {
  const parse = vi.spyOn(JSON, 'parse');
  await expect(read(body)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(parse).not.toHaveBeenCalledWith(body);
});

test('a body whose declared length is too large is refused before it is read', async () => {
  const request = new Request('http://x/', {
    method: 'POST',
    headers: { 'content-length': String(MAX_BODY_BYTES + 1) },
    body: '{}',
  });
  await expect(readJson(request, 'invalid_request')).rejects.toMatchObject({ code: 'request_too_large' });
  expect(request.bodyUsed).toBe(false);
});

test('a body with a NUL character or invalid JSON is refused, and a valid body is parsed', async () => {
  await expect(read('{"prompt":"a\\u0000b"}')).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(read('{"prompt":')).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await read('{"prompt":"a pear"}')).toEqual({ prompt: 'a pear' });
});
